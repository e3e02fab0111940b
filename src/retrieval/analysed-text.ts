import type { Found } from '../store/types.ts'
import { termHashesOf } from '../text/tokens.ts'
import { writtenWords } from '../text/words.ts'

export type AnalysedText = {
  /** For each word in order its term, or one of the two below. */
  terms: Int32Array
  name: Int32Array
  /** Those in its name, and in its first line or, of a whole text, its opening. */
  title: Int32Array
}

/** Stands for a stop word, which has no term. */
export const stopWord = 0
/** Stands for a run of characters without spaces, which has many terms. */
export const unspacedRun = 1

const maxOpening = 250
const maxLine = 120

export const analyse = ({ text, name, position }: Found): AnalysedText => {
  const visible = text.trimStart()
  const opening = position === 0 ? visible.slice(0, maxOpening) : firstLine(visible)
  const inName = termSetOf(name)
  return {
    terms: Int32Array.from(formsIn(text), ({ kind, hashes: [term = stopWord] }) =>
      kind === 'unspaced' ? unspacedRun : term,
    ),
    name: Int32Array.from(inName),
    title: Int32Array.from(inName.union(termSetOf(opening))),
  }
}

export const termSetOf = (text: string): Set<number> =>
  new Set(formsIn(text).flatMap(({ hashes }) => hashes))

const formsIn = (text: string) => writtenWords(text).flatMap(termHashesOf)

const firstLine = (text: string): string => text.slice(0, maxLine).split(lineEnd, 1)[0] ?? ''

const lineEnd = /\n|[.!?](?=\s|$)|[。！？।؟]/v
