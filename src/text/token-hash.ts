import { finished } from './hash-counter.ts'

/** Where FNV-1a begins. */
const basis = 0x811c9dc5
const prime = 0x01000193

/** The 32 bits by which tokens are told apart where they are counted and compared: FNV-1a of UTF-8. */
export function hashOfToken(token: string): number {
  let hash = basis
  for (let index = 0; index < token.length; index++) {
    const code = token.charCodeAt(index)
    if (code > 0x7f) return hashOfUnicode(token)
    hash = Math.imul(hash ^ code, prime)
  }
  return finished(hash)
}

/** The same of a token's UTF-8. */
export function hashOfBytes(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let hash = basis
  for (let index = start; index < end; index++) {
    hash = Math.imul(hash ^ bytes[index]!, prime)
  }
  return finished(hash)
}

/** To write into what is there takes a tenth of the time of encoding a token by itself. */
const buffer = Buffer.alloc(1024)
const mostBytesACode = 3

const hashOfUnicode = (token: string): number =>
  token.length * mostBytesACode > buffer.length
    ? hashOfBytes(Buffer.from(token))
    : hashOfBytes(buffer, 0, buffer.write(token))

const blank = 0x20

/** The hash of each token, as often as it stands there, in UTF-8 with blanks between. */
export function hashesOfTokens(words: Uint8Array): number[] {
  const hashes: number[] = []
  for (let start = 0; start < words.length;) {
    let end = words.indexOf(blank, start)
    if (end < 0) end = words.length
    if (end > start) hashes.push(hashOfBytes(words, start, end))
    start = end + 1
  }
  return hashes
}
