import type { TermStatistics } from '../store/types.ts'
import type { QueryWord } from './query-words.ts'
import { type Counted, countTokens, maxHoldersOfRare, rarest } from './token-counts.ts'

/** A query as long as a page needs only its rarest terms. */
export const maxTerms = 64
/** The grams of a query's rarest words find as much as the grams of all. */
const maxWordsInGrams = 8
const maxGrams = 48
/** Beyond this sum of document frequencies, only rare words are asked for by grams, to find misspelt ones. */
const maxGramHolders = 8_192

export function gramsToAsk(
  found: QueryWord[],
  terms: ReadonlyMap<string, Counted>,
  statistics: TermStatistics,
): Map<string, Counted> {
  const gramsOf = (some: QueryWord[]) => {
    const tokens = some.flatMap(({ tokens: { grams } }) => grams)
    const weighted = tokens.map((token) => ({ token, weight: 1 }))
    return rarest(countTokens(weighted, statistics), maxGrams)
  }
  const inGrams = wordsInGrams(found, terms)
  const grams = gramsOf(inGrams)
  const holders = grams.values().reduce((sum, one) => sum + one.holders * one.times, 0)
  if (holders <= maxGramHolders || terms.size === 0) return grams
  const isHeld = (term: string) => (terms.get(term)?.holders ?? 0) > maxHoldersOfRare
  return gramsOf(
    inGrams.filter(({ tokens }) => tokens.terms.length > 0 && !tokens.terms.some(isHeld)),
  )
}

function wordsInGrams(found: QueryWord[], terms: ReadonlyMap<string, Counted>): QueryWord[] {
  const holdersOf = ({
    tokens: {
      terms: [term = ''],
    },
  }: QueryWord) => terms.get(term)?.holders ?? Infinity
  const spaced = found
    .filter(({ kind }) => kind === 'spaced')
    .map((word) => ({ text: word.text, holders: holdersOf(word) }))
    .toSorted((a, b) => (a.holders === b.holders ? 0 : a.holders - b.holders))
  const rare = new Set([...new Set(spaced.map(({ text }) => text))].slice(0, maxWordsInGrams))
  return found.filter(
    ({ text, kind }) => kind === 'unspaced' || (kind === 'spaced' && rare.has(text)),
  )
}
