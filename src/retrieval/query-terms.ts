import { idf, maxScore } from '../store/store.ts'
import type { WeightedTokens, TermStatistics } from '../store/types.ts'
import { gramsToAsk, maxTerms } from './query-grams.ts'
import { alternativesIn, queryWords, termsIn } from './query-words.ts'
import { type Counted, countTokens, rarest } from './token-counts.ts'

export type QueryTerms = {
  /** The tokens to search for: terms, their other spellings, and grams of some words. */
  asked: WeightedTokens
  idfs: ReadonlyMap<string, number>
  /** The score of a fragment that holds just the question. */
  ideal: number
  /** Without words of scripts without spaces. */
  words: number
}

/** A word that is repeated four times is the topic of a query. */
const maxRepeated = 4

export function queryTerms(query: string, statistics: TermStatistics): QueryTerms {
  const found = queryWords(query)
  const terms = rarest(countTokens(termsIn(found), statistics), maxTerms)
  const grams = gramsToAsk(found, terms, statistics)
  const alternatives = countTokens(alternativesIn(query, found, terms), statistics)
  const others = rarest(alternatives, maxTerms - terms.size)
  const idfOf = ({ holders }: Counted) => idf(holders, statistics.fragments)
  const said = [...terms, ...grams]
  const all = [...said, ...others]
  // LanceDB reads the fragments of a token once for each time that it is asked.
  const divisor = all.reduce(
    (divides, [, one]) => greatestCommonDivisor(divides, timesAsked(one)),
    0,
  )
  const scores = said.map(([, one]) => (timesAsked(one) / divisor) * maxScore(idfOf(one)))
  return {
    asked: new Map(all.map(([token, one]) => [token, timesAsked(one) / divisor])),
    idfs: new Map(
      [...terms].filter(([term]) => !isSpelling(term)).map(([term, one]) => [term, idfOf(one)]),
    ),
    ideal: scores.reduce((sum, score) => sum + score, 0),
    words: found.filter(({ kind }) => kind === 'spaced').length,
  }
}

const isSpelling = (token: string): boolean => token.length > 1 && token.startsWith('=')

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)

const timesAsked = ({ weight, times }: Counted): number => weight * Math.min(times, maxRepeated)
