/** How large an answer may be: its bytes, its levels, and all of `[{`, of `:` and of `,` in it. */
export type Bounds = {
  bytes: number
  depth: number
  containers: number
  members: number
  values: number
}

/** Of so many vectors of so many numbers, written at length. */
export const boundsOf = (count: number, dimensions: number): Bounds => ({
  bytes: 64 * 1024 + count * dimensions * 40,
  depth: 8,
  containers: 64 + 4 * count,
  members: 64 + 16 * count,
  values: 128 + count * (dimensions + 16),
})

/**
 * Follows JSON in UTF-8 without keeping it, and says of each piece whether all so far is within bounds.
 * What is deep, or of millions of parts, takes a parser seconds in one go, and is no embeddings.
 */
export function watchBounds(most: Bounds): (piece: Uint8Array) => boolean {
  const seen: Bounds = { bytes: 0, depth: 0, containers: 0, members: 0, values: 0 }
  let deepest = 0
  let inString = false
  let isEscaped = false
  const take = (byte: number): void => {
    if (isEscaped) isEscaped = false
    else if (inString && byte === backslash) isEscaped = true
    else if (byte === quote) inString = !inString
    else if (inString) return
    else if (byte === comma) seen.values++
    else if (byte === colon) seen.members++
    else if (byte === bracket || byte === brace) {
      seen.containers++
      deepest = Math.max(deepest, ++seen.depth)
    } else if (byte === bracketEnd || byte === braceEnd) seen.depth--
  }
  return (piece) => {
    seen.bytes += piece.byteLength
    if (seen.bytes > most.bytes) return false
    piece.forEach(take)
    return (
      deepest <= most.depth &&
      seen.containers <= most.containers &&
      seen.members <= most.members &&
      seen.values <= most.values
    )
  }
}

const [quote, backslash, comma, colon, bracket, bracketEnd, brace, braceEnd] =
  Buffer.from('"\\,:[]{}')
