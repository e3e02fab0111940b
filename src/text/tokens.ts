import { wordWeight } from './stop-words.ts'
import { hashOfToken } from './token-hash.ts'
import { rememberingWords } from './word-cache.ts'
import { stem, type Word, words } from './words.ts'

/** Stems, and pieces of words marked with `#`, which also find compounds and misspelt words. */
export type Tokens = { terms: readonly string[]; grams: readonly string[] }

const gramLength = 4
/** A syllable of Korean is one letter here, and most words have two or three before their endings. */
const hangulGramLength = 2
const hangul = /^\p{sc=Hangul}/v

/** All tokens of a text, with blanks between: what the index of words takes in. */
export const tokensOf = (text: string): string =>
  words(text)
    .map((word) => indexed(word).tokens)
    .join(' ')

export const termHashesOf = (word: Word): readonly number[] => indexed(word).termHashes

const indexed = rememberingWords((word) => {
  const { terms, grams } = tokensOfWord(word)
  return { termHashes: terms.map(hashOfToken), tokens: [...terms, ...grams].join(' ') }
})

export function tokensOfWord({ text, kind }: Word): Tokens {
  if (kind === 'unspaced') return tokensOfRun([...text])
  const spelt = dotless(text)
  return { terms: termsOf(spelt), grams: gramsOf(spelt) }
}

/** A lower-case Turkish İ keeps a combining dot, and I becomes an i. */
const dotless = (word: string): string => word.replaceAll('\u0307', '').replaceAll('ı', 'i')

function termsOf(word: string): string[] {
  if (isStopWord(word)) return []
  const term = stem(word)
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
  characters.forEach((first, index) => {
    terms.push(first)
    const [second, third] = characters.slice(index + 1, index + 3)
    if (second === undefined) return
    terms.push(first + second)
    grams.push(`#${first}${second}`)
    if (third !== undefined) grams.push(`#${first}${second}${third}`)
  })
  return { terms, grams }
}
