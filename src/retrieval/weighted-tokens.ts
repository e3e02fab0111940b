import { idfsOf } from '../store/store.ts'
import type { TermStatistics } from '../store/types.ts'
import { authorshipIn, authorshipTerms } from '../text/question-phrases.ts'
import { letterNamesOfQuery } from '../text/words.ts'
import { otherNumbersOf } from '../text/word.ts'
import { isStopWord } from '../text/stop-words.ts'
import { type TokenizedWord, tokenized } from '../text/tokens.ts'

type Weighted = { token: string; weight: number }

/** `times`: occurrences in the query. `frequency`: an estimate of the document frequency. */
export type Counted = { weight: number; times: number; frequency: number; idf: number }

export type CountedTerms = ReadonlyMap<string, Counted>

export const maxFrequencyOfRare = 5

/** What a term counts for, beside 1 for a gram. */
const weightOfTerm = 4
const weightOfOther = 2
/** The grams of a word of six letters. A short number has fewer, and is as distinctive. */
const gramsOfWord = 5
/** In a longer query only pairs of words are joined, one of them rare. */
const maxWordsToJoin = 8
const maxJoined = 5
const loneLetter = /^\p{L}$/v

export function termsIn(found: TokenizedWord[]): Weighted[] {
  const isOnlySigns = found.every(({ kind }) => kind === 'sign')
  return found.flatMap((word) => {
    const weight = isOnlySigns ? weightOfTerm : weightOf(word)
    return [
      ...word.tokens.terms.map((token) => ({ token, weight })),
      ...word.tokens.exact.map((token) => ({ token, weight: weightOfOther })),
    ]
  })
}

function weightOf({ kind, text, tokens }: TokenizedWord): number {
  const missingGrams = /^\d+$/.test(text) ? Math.max(0, gramsOfWord - tokens.grams.length) : 0
  if (kind === 'sign') return weightOfOther
  return kind === 'part'
    ? weightOfOther + Math.floor(missingGrams / 2)
    : weightOfTerm + missingGrams
}

/** What may stand for the words: other spellings, joined words, a later version, a letter's name, `author` for `who wrote`. */
export function alternativesIn(
  query: string,
  found: TokenizedWord[],
  terms: CountedTerms,
): Weighted[] {
  const others = [
    ...found.flatMap((word) => word.tokens.variants),
    ...letterNamesOfQuery(query),
    ...(authorshipIn(query) === undefined ? [] : authorshipTerms),
    ...otherNumbersOf(found.map(({ text }) => text)),
  ]
  const all = [
    ...others.map((token) => ({ token, weight: weightOfOther })),
    ...joinedIn(found, terms),
  ]
  const tokens = new Map(all.map((one) => [one.token, one]))
  return [...tokens.values()].filter(
    ({ token, weight }) => weight > (terms.get(token)?.weight ?? 0),
  )
}

/** `wi fi` as `wifi`. The more words are joined, the likelier it is meant. */
function joinedIn(found: TokenizedWord[], terms: CountedTerms): Weighted[] {
  const spaced = found.filter(({ kind }) => kind === 'spaced')
  if (spaced.length <= maxWordsToJoin) return joined(sequencesIn(spaced, maxJoined))
  const isRare = ({ tokens }: TokenizedWord) =>
    tokens.terms.some((term) => (terms.get(term)?.frequency ?? Infinity) <= maxFrequencyOfRare)
  return joined(sequencesIn(spaced, 2).filter((sequence) => sequence.some(isRare)))
}

/** Two or more consecutive words. */
const sequencesIn = (found: TokenizedWord[], maxLength: number): TokenizedWord[][] =>
  found.flatMap((_, start) =>
    Array.from({ length: Math.min(maxLength, found.length - start) - 1 }, (_one, more) =>
      found.slice(start, start + more + 2),
    ),
  )

function joined(sequences: TokenizedWord[][]): Weighted[] {
  const texts = sequences.map((words) => words.map(({ text }) => text).join(''))
  return tokenized(texts.map((text) => ({ text, kind: 'whole' }))).flatMap(({ tokens }, index) =>
    tokens.terms.map((token) => ({ token, weight: weightOfJoined(sequences[index]!) })),
  )
}

/** Spelt letters, as `u s a`, mean little each and much together. `a b` may be two words of a sentence. */
function weightOfJoined(words: TokenizedWord[]): number {
  const isSpelt =
    words.every(({ text }) => loneLetter.test(text)) &&
    (words.length > 2 || !words.some(({ text }) => isStopWord(text)))
  return isSpelt ? weightOfTerm * words.length : weightOfOther * (words.length - 1)
}

export function countTokens(tokens: Weighted[], statistics: TermStatistics): Map<string, Counted> {
  const all = new Map<string, Counted>()
  for (const { token, weight } of tokens) {
    const known = all.get(token)
    if (known) {
      known.times += 1
      known.weight = Math.max(known.weight, weight)
    } else all.set(token, { weight, times: 1, frequency: 0, idf: 0 })
  }
  const frequencies = statistics.documentFrequencies([...all.keys()])
  const idfs = idfsOf(frequencies, statistics.fragments)
  for (const [index, one] of [...all.values()].entries()) {
    one.frequency = frequencies[index]!
    one.idf = idfs[index]!
  }
  return all
}

/** The rarest tokens, of which up to `maxUnseen` are in no sampled fragment: they may be of a new one. */
export function rarest(
  tokens: Map<string, Counted>,
  max: number,
  maxUnseen = 0,
): Map<string, Counted> {
  if (tokens.size <= max) return tokens
  const unseen = [...tokens].filter(([, { frequency }]) => frequency === 0)
  const seen = [...tokens]
    .filter(([, { frequency }]) => frequency > 0)
    .toSorted(([, a], [, b]) => a.frequency - b.frequency)
    .slice(0, max - Math.min(unseen.length, maxUnseen))
  return new Map([...seen, ...unseen].slice(0, max))
}
