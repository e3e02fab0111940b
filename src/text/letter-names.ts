import { caseFolded, folded } from './folding.ts'
import { stem } from './stem.ts'
import { isStopWord } from './stop-words.ts'
import type { Word } from './word.ts'

const loneLetter = /(?<=^| )\p{L}(?![\p{L}\p{M}\p{N}.'’\-]|&)/gv
const wordBefore = /[\p{L}\p{M}\p{N}]+(?= $)/v
const wordAfter = /(?<=^ )[\p{L}\p{M}\p{N}]+/v
const maxLength = 40

/**
 * The letters of a text that are stop words and yet name something, each with its neighbour: of
 * `vitamin A`, `vitamin_a`. A capital inside a sentence is taken for one.
 */
export const letterNames = (text: string): Word[] =>
  namesIn(text, (letter, before) => before !== '' && /\p{Lu}/v.test(letter))

/** The same of a query, where people type no capitals. */
export const letterNamesOfQuery = (query: string): Word[] => namesIn(query, () => true)

function namesIn(text: string, isName: (letter: string, before: string) => boolean): Word[] {
  return Array.from(text.matchAll(loneLetter)).flatMap(({ 0: letter, index }) => {
    const name = caseFolded(letter)
    if (!isStopWord(name)) return []
    const before = text.slice(Math.max(0, index - maxLength), index).match(wordBefore)?.[0] ?? ''
    const after = text.slice(index + 1, index + maxLength).match(wordAfter)?.[0] ?? ''
    if (!isName(letter, before)) return []
    const joined = [`${nameOf(before)}_${name}`, `${name}_${nameOf(after)}`]
    return joined
      .filter((one) => !one.startsWith('_') && !one.endsWith('_'))
      .map((one): Word => ({ text: one, kind: 'whole' }))
  })
}

/** Nothing for a stop word, which says nothing of the letter beside it. */
function nameOf(word: string): string {
  const name = caseFolded(word)
  return isStopWord(name) ? '' : stem(folded(name))
}
