import { folded, foldedRun, speltOut } from './folding.ts'
import { stem } from './stem.ts'
import { isStopWord } from './stop-words.ts'
import { hashOfToken } from './token-hash.ts'
import type { Word } from './word.ts'
import { rememberingWords } from './word-cache.ts'
import { words } from './words.ts'

/** What a word is found by. */
export type Tokens = {
  /** What its forms and spellings have in common. */
  terms: readonly string[]
  /** Itself as it is spelt, marked with `=`, where readers take other spellings for the same. */
  exact: readonly string[]
  /** Terms of other ways to write it. */
  variants: readonly string[]
  /** Pieces of it marked with `#`, which also find compounds and misspelt words. */
  grams: readonly string[]
}

const gramLength = 4
/** A syllable of Korean is one letter here, and most words have two or three before their endings. */
const hangulGramLength = 2
const hangul = /^\p{sc=Hangul}/v

/** All tokens of a text, with blanks between: what the index of words takes in. */
export const tokensOf = (text: string): string =>
  words(text)
    .map((word) => indexed(word).tokens)
    .filter((tokens) => tokens !== '')
    .join(' ')

export const termHashesOf = (word: Word): readonly number[] => indexed(word).termHashes

const indexed = rememberingWords((word) => {
  const { terms, exact, variants, grams } = tokensOfWord(word)
  return {
    termHashes: [...terms, ...variants].map(hashOfToken),
    tokens: [...terms, ...exact, ...variants, ...grams].join(' '),
  }
})

const none: readonly string[] = []

export function tokensOfWord({ text, kind }: Word): Tokens {
  if (kind === 'unspaced') return tokensOfRun(text)
  if (kind === 'sign') return { terms: [text], exact: none, variants: none, grams: none }
  const bare = folded(text)
  const terms = termsOf(bare)
  return {
    terms,
    exact: bare === text || terms.length === 0 ? none : [`=${text}`],
    variants: variantsOf(text).filter((variant) => !terms.includes(variant)),
    grams: kind === 'spaced' ? gramsOf(bare) : none,
  }
}

function termsOf(word: string): string[] {
  if (isStopWord(word)) return []
  const term = stem(word)
  return term === '' || isStopWord(term) ? [] : [term]
}

/** `groesse` for `größe`, and 5 for 05. */
function variantsOf(text: string): string[] {
  const spelt = speltOut(text)
  if (spelt !== text) return termsOf(folded(spelt))
  return /^0\d$/.test(text) ? [text.slice(1)] : []
}

function gramsOf(word: string): string[] {
  const marked = `^${word}$`
  const length = hangul.test(word) ? hangulGramLength : gramLength
  if (marked.length < length) return [`#${marked}`]
  return Array.from(
    { length: marked.length - length + 1 },
    (_, start) => `#${marked.slice(start, start + length)}`,
  )
}

/** Its pieces are of what is written, so that what is written so is found first. */
function tokensOfRun(run: string): Tokens {
  const characters = [...run]
  const folds = [...foldedRun(run)]
  return {
    terms: folds.flatMap((first, index) => [first, ngrams(folds, index, 2)].flat()),
    exact: none,
    variants: none,
    grams: characters.flatMap((_, index) =>
      [2, 3].flatMap((length) => ngrams(characters, index, length)).map((gram) => `#${gram}`),
    ),
  }
}

/** The characters from a place on; none where the run ends before. */
const ngrams = (characters: string[], start: number, length: number): string[] =>
  start + length > characters.length ? [] : [characters.slice(start, start + length).join('')]
