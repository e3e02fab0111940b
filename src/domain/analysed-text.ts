import { words } from '../embeddings/words.ts'
import type { Found } from '../store/hits.ts'
import { type Tokens, tokensOfWord } from './terms.ts'

/** A word's tokens, one object for all places where the word stands; or a run of a script without spaces. */
export type AnalysedWord = Tokens | string

/** A text as queries are compared with it: its words in order, and those of its first line. */
export type AnalysedText = { words: AnalysedWord[]; line: AnalysedWord[] }

/** In characters. */
const lineLength = 120

export const analyse = (text: string): AnalysedText => ({
  words: analysedWords(text),
  line: analysedWords(firstLine(text)),
})

/** Takes a fragment's text apart when it is first found, which is three quarters of comparing it. */
export function analysisOf(found: Found): AnalysedText {
  const known = analyses.get(found)
  if (known) return known
  const analysis = analyse(found.text)
  analyses.set(found, analysis)
  return analysis
}

/** For as long as the rows themselves are remembered. */
const analyses = new WeakMap<Found, AnalysedText>()

const analysedWords = (text: string): AnalysedWord[] =>
  words(text).map((word) => (word.kind === 'spaced' ? tokensOfWord(word) : word.text))

/** The first line, or what of it makes a sentence. */
const firstLine = (text: string): string =>
  text.trimStart().slice(0, lineLength).split(lineEnd, 1)[0] ?? ''

const lineEnd = /\n|[.!?](?=\s|$)|[。！？।؟]/v
