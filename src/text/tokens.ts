import { wordWeight } from './stop-words.ts'
import { hashOfToken } from './token-hash.ts'
import { stem, type Word, words } from './words.ts'

/**
 * What a word is found by. `terms` are its stem, none for a stop word; `grams` are its four-letter
 * pieces, which find compounds, other forms and misspelt ones. Where words are written without
 * spaces, terms are the characters and pairs of them, grams the pieces of two and three. Grams are
 * marked with `#`, so that none is taken for a term.
 */
export type Tokens = { terms: readonly string[]; grams: readonly string[] }

/** `all` are the tokens with blanks between. */
type Remembered = { termHashes: readonly number[]; all: string }

const gramLength = 4
/** A syllable of Korean is a letter here, and most words have two or three before their endings. */
const hangulGramLength = 2
const hangul = /^\p{sc=Hangul}/v

/** All tokens of a text, with blanks between: what the index of words takes in. */
export const tokensOf = (text: string): string =>
  words(text)
    .map((word) => known(word).all)
    .join(' ')

/** The hashes of a word's terms. */
export const termHashesOf = (word: Word): readonly number[] => known(word).termHashes

/** What a word is looked for by. */
export function tokensOfWord({ text, kind }: Word): Tokens {
  if (kind === 'unspaced') return tokensOfRun([...text])
  const spelt = dotless(text)
  return { terms: termsOf(spelt), grams: gramsOf(spelt) }
}

/** Few words make most of a text. */
const remembered = new Map<string, Remembered>()
const maxRemembered = 20_000
/** Longer words are rare, and 20,000 of them would fill the memory. */
const maxRememberedLength = 32

function known(word: Word): Remembered {
  const { text, kind } = word
  const found = remembered.get(text)
  if (found) return found
  const { terms, grams } = tokensOfWord(word)
  const fresh = { termHashes: terms.map(hashOfToken), all: [...terms, ...grams].join(' ') }
  if (kind === 'spaced' && text.length <= maxRememberedLength) {
    // What is frequent soon comes back after everything was forgotten.
    if (remembered.size === maxRemembered) remembered.clear()
    remembered.set(text, fresh)
  }
  return fresh
}

/** Lower case without knowing the language leaves a Turkish İ with a dot of its own, and makes I an i. */
const dotless = (word: string): string => word.replaceAll('\u0307', '').replaceAll('ı', 'i')

function termsOf(word: string): string[] {
  if (isStopWord(word)) return []
  const term = stem(word)
  // Of a word of marks alone nothing is left.
  return term === '' || isStopWord(term) ? [] : [term]
}

const isStopWord = (word: string): boolean => wordWeight(word) === 0

function gramsOf(word: string): string[] {
  const marked = `^${word}$`
  const length = hangul.test(word) ? hangulGramLength : gramLength
  if (marked.length < length) return [`#${marked}`]
  return Array.from(
    { length: marked.length - length + 1 },
    (_, start) => `#${marked.slice(start, start + length)}`,
  )
}

function tokensOfRun(characters: string[]): Tokens {
  const [terms, grams]: [string[], string[]] = [[], []]
  characters.forEach((first, place) => {
    terms.push(first)
    const second = characters[place + 1]
    if (second === undefined) return
    const pair = first + second
    terms.push(pair)
    grams.push(`#${pair}`)
    const third = characters[place + 2]
    if (third !== undefined) grams.push(`#${pair}${third}`)
  })
  return { terms, grams }
}
