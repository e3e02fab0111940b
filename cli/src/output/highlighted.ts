import { style } from './style.ts'

type Span = { start: number; end: number }

/** A text with some of its spans marked, on a terminal. Spans are in order and in UTF-16 code units. */
export function highlighted(text: string, spans: Span[]): string {
  const pieces: string[] = []
  let from = 0
  for (const { start, end } of spans) {
    pieces.push(text.slice(from, start), style.bold(style.yellow(text.slice(start, end))))
    from = end
  }
  return [...pieces, text.slice(from)].join('')
}

/** The text with blanks before each of its lines. */
export const indented = (text: string, blanks = '   '): string => text.replaceAll(/^/gm, blanks)
