/** Of a JSON text: its levels, and how many `[` and `{`, `:` and `,` it has. */
export type Bounds = {
  bytes: number
  depth: number
  containers: number
  members: number
  values: number
}

export const maxBoundsOf = (count: number, dimensions: number): Bounds => ({
  bytes: 64 * 1024 + count * dimensions * 40,
  depth: 8,
  containers: 64 + 4 * count,
  members: 64 + 16 * count,
  values: 128 + count * (dimensions + 16),
})

/** Tells after each piece of JSON whether all is within bounds: millions of values would hold up the parser. */
export function watchBounds(max: Bounds): (piece: Uint8Array) => boolean {
  const seen: Bounds = { bytes: 0, depth: 0, containers: 0, members: 0, values: 0 }
  let maxDepth = 0
  let inString = false
  let isEscaped = false
  const scan = (byte: number): void => {
    if (isEscaped) isEscaped = false
    else if (inString && byte === backslash) isEscaped = true
    else if (byte === quote) inString = !inString
    else if (inString) return
    else if (byte === comma) seen.values++
    else if (byte === colon) seen.members++
    else if (byte === bracket || byte === brace) {
      seen.containers++
      maxDepth = Math.max(maxDepth, ++seen.depth)
    } else if (byte === bracketEnd || byte === braceEnd) seen.depth--
  }
  return (piece) => {
    seen.bytes += piece.byteLength
    if (seen.bytes > max.bytes) return false
    piece.forEach(scan)
    return (
      maxDepth <= max.depth &&
      seen.containers <= max.containers &&
      seen.members <= max.members &&
      seen.values <= max.values
    )
  }
}

const [quote, backslash, comma, colon, bracket, bracketEnd, brace, braceEnd] =
  Buffer.from('"\\,:[]{}')
