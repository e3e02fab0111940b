import { wordWeight } from '../embeddings/stop-words.ts'
import { stem, type Word, words } from '../embeddings/words.ts'

/**
 * What a word is found by. `terms` are its stem, none for a stop word; `grams` are its four-letter
 * pieces, which find compounds, other forms and misspelt ones. Where words are written without
 * spaces, terms are the characters and pairs of them, grams the pieces of two and three. Grams are
 * marked with `#`, so that none is taken for a term. `all` is both, with blanks between.
 */
export type Tokens = { terms: readonly string[]; grams: readonly string[]; all: string }

const gramLength = 4
/** A syllable of Korean is a letter here, and most words have two or three before their endings. */
const hangulGramLength = 2
const hangul = /^\p{sc=Hangul}/v

/** All tokens of a text, with blanks between: what the word index takes in. */
export function tokensOf(text: string): string {
  return words(text)
    .map((word) => tokensOfWord(word).all)
    .join(' ')
}

export function tokensOfWord(word: Word): Tokens {
  if (word.kind === 'unspaced') return tokensOfRun([...word.text])
  const known = remembered.get(word.text)
  if (known) return known
  const text = dotless(word.text)
  const tokens = toTokens(termsOf(text), gramsOf(text))
  if (word.text.length <= longestRemembered) {
    // What is frequent soon comes back after everything was forgotten.
    if (remembered.size === mostRemembered) remembered.clear()
    remembered.set(word.text, tokens)
  }
  return tokens
}

/** Few words make most of a text. */
const remembered = new Map<string, Tokens>()
const mostRemembered = 20_000
/** Longer words are rare, and 20,000 of them would fill the memory. */
const longestRemembered = 32

function termsOf(word: string): string[] {
  if (isStopWord(word)) return []
  const term = stem(word)
  return isStopWord(term) ? [] : [term]
}

const isStopWord = (word: string): boolean => wordWeight(word) === 0

/** Lower case without knowing the language leaves a Turkish İ with a dot of its own, and makes I an i. */
const dotless = (word: string): string => word.replaceAll('\u0307', '').replaceAll('ı', 'i')

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
  const pairs = slices(characters, 2)
  const grams = [...pairs, ...slices(characters, 3)].map((gram) => `#${gram}`)
  return toTokens([...characters, ...pairs], grams)
}

const toTokens = (terms: string[], grams: string[]): Tokens => ({
  terms,
  grams,
  all: [...terms, ...grams].join(' '),
})

const slices = (characters: string[], length: number): string[] =>
  characters.slice(length - 1).map((_, start) => characters.slice(start, start + length).join(''))
