import type { SoughtTokens } from '../store/word-index.ts'
import { gramWeight, type QueryTokens, rarest, termWeight, type Wanted } from './query-tokens.ts'

/** What is found is ranked by all tokens, so that it is enough to ask for the rarest grams. */
const mostGramsAsked = 24
/**
 * How many fragments may hold them, one that holds several counted for each: up to some thousand
 * fragments of any language that takes next to nothing. Of 20,000 fragments of Cranfield the search
 * takes twice as long by grams, and as many of the first ten are among the 48 found by terms alone:
 * 0.967 by these, 0.954 by both, and 0.95 and 0.96 where every third long word is misspelt. There only
 * words that are hardly held have their pieces looked for.
 */
const mostHoldersAsked = 8_192
/** A token costs a search as much each time it is written, so that terms weigh a little less there. */
const timesBesideGrams = 3
/** What stands four times in a query is what it is about. */
const mostRepeated = 4

/**
 * The tokens as the index of words is asked: each as often as it stands in the query, terms more often
 * where grams are among them.
 */
export function soughtTokens({ terms, grams, gramsOfRare }: QueryTokens): SoughtTokens {
  const rarestGrams = rarest(grams, mostGramsAsked)
  const isCheap = holdersOfAll(rarestGrams) <= mostHoldersAsked
  const asked = isCheap || terms.size === 0 ? rarestGrams : rarest(gramsOfRare, mostGramsAsked)
  const times = asked.size === 0 ? 1 : timesBesideGrams
  return new Map([...repeated(terms, termWeight, times), ...repeated(asked, gramWeight, 1)])
}

const repeated = (tokens: ReadonlyMap<string, Wanted>, weightOfOne: number, times: number) =>
  Array.from(
    tokens,
    ([token, { weight }]) => [token, times * Math.min(weight / weightOfOne, mostRepeated)] as const,
  )

const holdersOfAll = (tokens: ReadonlyMap<string, Wanted>): number =>
  tokens.values().reduce((total, { holders, weight }) => total + holders * weight, 0)
