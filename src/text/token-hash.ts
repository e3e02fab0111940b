const fnvBasis = 0x811c9dc5
const fnvPrime = 0x01000193

/** Over UTF-16 code units; `basis` is the hash of what stands before the text. */
export function fnv1a(text: string, basis = fnvBasis): number {
  let hash = basis
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), fnvPrime)
  }
  return hash
}

export function fmix32(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/** FNV-1a with MurmurHash3's finaliser, which spreads it evenly over 32 bits. */
export const hashOfToken = (token: string): number => fmix32(fnv1a(token))

export const hashesOf = (tokens: readonly string[]): number[] => tokens.map(hashOfToken)

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const [blank, maxAscii] = [0x20, 0x7f]

/** The hash of each token as often as it occurs; `tokens` is UTF-8 with blanks between. */
export function hashesOfTokens(tokens: Uint8Array): number[] {
  const hashes: number[] = []
  let start = 0
  let [hash, isAscii] = [fnvBasis, true]
  for (let at = 0; at <= tokens.length; at++) {
    const byte = tokens[at] ?? blank
    if (byte !== blank) {
      // A byte of ASCII is the code unit, so that most tokens need no string.
      hash = Math.imul(hash ^ byte, fnvPrime)
      isAscii &&= byte <= maxAscii
    } else {
      if (at > start)
        hashes.push(isAscii ? fmix32(hash) : hashOfToken(utf8.decode(tokens.subarray(start, at))))
      start = at + 1
      hash = fnvBasis
      isAscii = true
    }
  }
  return hashes
}
