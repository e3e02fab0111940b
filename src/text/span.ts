/** UTF-16 code units, `end` exclusive. */
export type Span = { start: number; end: number }

export function trimmedSpan(text: string, { start, end }: Span): Span {
  const slice = text.slice(start, end)
  const from = start + slice.length - slice.trimStart().length
  return { start: from, end: from + slice.trim().length }
}

/** The offset, or the one before if it is within a surrogate pair. */
export function wholeCodePoints(text: string, at: number): number {
  const last = text.charCodeAt(at - 1)
  return last >= 0xd800 && last < 0xdc00 ? at - 1 : at
}

export const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1

/** The end of the line at an offset, before its line feed. */
export function lineEnd(text: string, at: number): number {
  const feed = text.indexOf('\n', at)
  return feed < 0 ? text.length : feed
}
