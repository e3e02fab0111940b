import { words } from '../embeddings/words.ts'
import type { Found } from '../store/hits.ts'

/** A text as queries are compared with it: its words in order, and those of its first line. */
export type AnalysedText = { words: string[]; line: string[] }

/** In characters. */
const lineLength = 120

export const analyse = (text: string): AnalysedText => ({
  words: wordsOf(text),
  line: wordsOf(firstLine(text)),
})

/** Takes a fragment's text apart when it is first found, which is half of comparing it. */
export function analysisOf(found: Found): AnalysedText {
  const known = analyses.get(found)
  if (known) return known
  const analysis = analyse(found.text)
  analyses.set(found, analysis)
  return analysis
}

/** For as long as the rows themselves are remembered, which allows for them by the texts' lengths. */
const analyses = new WeakMap<Found, AnalysedText>()

const wordsOf = (text: string): string[] => words(text).map((word) => word.text)

/** The first line, or what of it makes a sentence. */
const firstLine = (text: string): string =>
  text.trimStart().slice(0, lineLength).split(lineEnd, 1)[0] ?? ''

const lineEnd = /\n|[.!?](?=\s|$)|[。！？।؟]/v
