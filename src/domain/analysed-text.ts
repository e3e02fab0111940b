import { LRUCache } from 'lru-cache'
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
  analyses.set(found, analysis, { size: bytesACharacter * (found.text.length + 1) })
  return analysis
}

/** What texts taken apart may take, each several times its own bytes. */
const mostBytes = 48 * 1024 * 1024
const bytesACharacter = 6

const analyses = new LRUCache<Found, AnalysedText>({ maxSize: mostBytes })

const wordsOf = (text: string): string[] => words(text).map((word) => word.text)

/** The first line, or what of it makes a sentence. */
const firstLine = (text: string): string =>
  text.trimStart().slice(0, lineLength).split(lineEnd, 1)[0] ?? ''

const lineEnd = /\n|[.!?](?=\s|$)|[。！？।؟]/v
