import { skipBlanks, visibleEnd } from '../text/blanks.ts'
import { pageAt } from '../text/pages.ts'
import type { Highlighter } from './highlights.ts'

type Place = { text: string; offset: number }

/** The page, from 1, on which a fragment has most of the query's words, else the one that it begins on. */
export function matchedPage(
  starts: readonly number[],
  { text, offset }: Place,
  highlighter: () => Highlighter,
): number {
  const first = pageAt(starts, offset + skipBlanks(text, 0))
  if (first === pageAt(starts, offset + Math.max(0, visibleEnd(text) - 1))) return first
  const wordsOf = new Map([[first, new Set<string>()]])
  for (const { start, end } of highlighter().spansIn(text)) {
    const page = pageAt(starts, offset + start)
    const words = wordsOf.get(page) ?? new Set()
    wordsOf.set(page, words.add(text.slice(start, end).toLowerCase()))
  }
  const [[page]] = [...wordsOf].toSorted(([, a], [, b]) => b.size - a.size) as [[number, unknown]]
  return page
}
