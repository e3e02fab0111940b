import { maxScore } from '../store/store.ts'
import type { WeightedTokens, TermStatistics } from '../store/types.ts'
import { tokenized, type TokenizedWord } from '../text/tokens.ts'
import { words } from '../text/words.ts'
import {
  alternativesIn,
  type Counted,
  type CountedTerms,
  countTokens,
  maxFrequencyOfRare,
  rarest,
  termsIn,
} from './weighted-tokens.ts'

export type QueryTerms = {
  /** The tokens to search for: terms, their other spellings, and grams of some words. */
  asked: WeightedTokens
  idfs: ReadonlyMap<string, number>
  /** The score of a fragment that holds just the question. */
  ideal: number
  /** How many words there are, without those of scripts without spaces. */
  words: number
}

/** A word that is repeated four times is the topic of a query. */
const maxRepeated = 4
/** A query as long as a page needs only its rarest terms, and those of documents that are new. */
const maxTerms = 64
const maxNewTerms = 32
/** The grams of a query's rarest words find as much as the grams of all. */
const maxWordsInGrams = 8
const maxGrams = 48
/** Beyond this sum of document frequencies, only rare words are asked for by grams, to find misspelt ones. */
const maxGramFrequencies = 8_192

export function queryTerms(query: string, statistics: TermStatistics): QueryTerms {
  const found = tokenized(words(query))
  const terms = rarest(countTokens(termsIn(found), statistics), maxTerms, maxNewTerms)
  const grams = gramsToAsk(found, terms, statistics)
  const alternatives = countTokens(alternativesIn(query, found, terms), statistics)
  const others = rarest(alternatives, maxTerms - terms.size)
  const ofQuery = [...terms, ...grams]
  const all = [...ofQuery, ...others]
  // LanceDB reads the fragments of a token once for each time that it is asked.
  const divisor = all.reduce(
    (divides, [, one]) => greatestCommonDivisor(divides, timesAsked(one)),
    0,
  )
  const sumOfIdfs = ofQuery.reduce((sum, [, one]) => sum + (timesAsked(one) / divisor) * one.idf, 0)
  return {
    asked: new Map(all.map(([token, one]) => [token, timesAsked(one) / divisor])),
    idfs: new Map([...terms].flatMap(([term, { idf }]) => (isSpelling(term) ? [] : [[term, idf]]))),
    ideal: maxScore(sumOfIdfs),
    words: found.filter(({ kind }) => kind === 'spaced').length,
  }
}

const isSpelling = (token: string): boolean => token.length > 1 && token.startsWith('=')

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)

const timesAsked = ({ weight, times }: Counted): number => weight * Math.min(times, maxRepeated)

function gramsToAsk(
  found: TokenizedWord[],
  terms: CountedTerms,
  statistics: TermStatistics,
): Map<string, Counted> {
  const gramsOf = (some: TokenizedWord[]) => {
    const tokens = some.flatMap(({ tokens: { grams } }) => grams)
    const weighted = tokens.map((token) => ({ token, weight: 1 }))
    return rarest(countTokens(weighted, statistics), maxGrams)
  }
  const spelt = wordsInGrams(found, terms)
  const grams = gramsOf(spelt)
  const frequencies = grams.values().reduce((sum, one) => sum + one.frequency * one.times, 0)
  if (frequencies <= maxGramFrequencies || terms.size === 0) return grams
  const isCommon = (term: string) => (terms.get(term)?.frequency ?? 0) > maxFrequencyOfRare
  return gramsOf(
    spelt.filter(({ tokens }) => tokens.terms.length > 0 && !tokens.terms.some(isCommon)),
  )
}

function wordsInGrams(found: TokenizedWord[], terms: CountedTerms): TokenizedWord[] {
  const frequencyOf = ({ tokens }: TokenizedWord) =>
    terms.get(tokens.terms[0] ?? '')?.frequency ?? Infinity
  const spaced = found
    .filter(({ kind }) => kind === 'spaced')
    .map((word) => ({ text: word.text, frequency: frequencyOf(word) }))
    .toSorted((a, b) => (a.frequency === b.frequency ? 0 : a.frequency - b.frequency))
  const rare = new Set([...new Set(spaced.map(({ text }) => text))].slice(0, maxWordsInGrams))
  return found.filter(
    ({ text, kind }) => kind === 'unspaced' || (kind === 'spaced' && rare.has(text)),
  )
}
