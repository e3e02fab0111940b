/** UTF-16 code units, `end` exclusive. */
export type Span = { start: number; end: number }

export function trimmedSpan(text: string, { start, end }: Span): Span {
  const slice = text.slice(start, end)
  const from = start + slice.length - slice.trimStart().length
  return { start: from, end: from + slice.trim().length }
}
