import { caseFolded, folded, stem } from './folding.ts'
import { isStopWord, stopLetters } from './stop-words.ts'

const loneLetter = (letters: string) =>
  new RegExp(String.raw`[${letters}](?<=(?:^| ).)(?![\p{L}\p{M}\p{N}.'’\-]|&)`, 'gv')
const capital = loneLetter(stopLetters.toUpperCase())
const anyCase = loneLetter(stopLetters + stopLetters.toUpperCase())
const wordBefore = /[\p{L}\p{M}\p{N}]+(?= $)/v
const wordAfter = /(?<=^ )[\p{L}\p{M}\p{N}]+/v
const maxLength = 40
/** A text of more is a list of letters. */
const maxNames = 32
const joint = ':'

/** A capital stop letter inside a sentence names something: `vitamin A` gives `vitamin:a`. */
export const letterNames = (text: string): string[] =>
  Array.from(text.matchAll(capital).take(maxNames)).flatMap(({ index }) =>
    wordBeside(text, index).before === '' ? [] : namesAt(text, index),
  )

export const letterNamesOfQuery = (query: string): string[] =>
  Array.from(query.matchAll(anyCase).take(maxNames)).flatMap(({ index }) => namesAt(query, index))

function namesAt(text: string, index: number): string[] {
  const letter = caseFolded(text[index]!)
  const { before, after } = wordBeside(text, index)
  const [prefix, suffix] = [nameOf(before), nameOf(after)]
  return [prefix && prefix + joint + letter, suffix && letter + joint + suffix].filter(Boolean)
}

function wordBeside(text: string, index: number): { before: string; after: string } {
  const before = text.slice(Math.max(0, index - maxLength), index).match(wordBefore)?.[0] ?? ''
  const after = text.slice(index + 1, index + maxLength).match(wordAfter)?.[0] ?? ''
  return { before, after }
}

/** Empty for a stop word, which says nothing about the letter beside it. */
function nameOf(word: string): string {
  const name = caseFolded(word)
  return isStopWord(name) ? '' : stem(folded(name))
}

export const isLetterName = (written: string): boolean => /^[\p{L}\p{M}\p{N}]+:/v.test(written)
