import { termHashesOf } from '../text/tokens.ts'
import { writtenWords } from '../text/words.ts'

/** A text as queries are compared with it: its terms by their hashes. */
export type AnalysedText = {
  /** For each word in order its term, or one of the two below. */
  terms: Int32Array
  /** The terms in its first line, each once. */
  line: Int32Array
}

/** Stands for a stop word, which has no term. */
export const stopWord = 0
/** Stands for a run of characters without spaces, which has many terms. */
export const unspacedRun = 1

/** In characters. */
const lineLength = 120

export const analyse = (text: string): AnalysedText => ({
  terms: Int32Array.from(formsIn(text), ({ kind, hashes: [term = stopWord] }) =>
    kind === 'unspaced' ? unspacedRun : term,
  ),
  line: Int32Array.from(termSetOf(firstLine(text))),
})

/** The hashes of a text's terms, each once. */
export const termSetOf = (text: string): Set<number> =>
  new Set(formsIn(text).flatMap(({ hashes }) => hashes))

const formsIn = (text: string) => writtenWords(text).flatMap(termHashesOf)

const firstLine = (text: string): string =>
  text.trimStart().slice(0, lineLength).split(lineEnd, 1)[0] ?? ''

const lineEnd = /\n|[.!?](?=\s|$)|[。！？।؟]/v
