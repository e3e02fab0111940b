import { words } from '../embeddings/words.ts'
import type { WordCounts } from '../store/word-counts.ts'
import { type Tokens, tokensOfWord } from './terms.ts'

/** How much something in a query counts for, and how many fragments hold it. */
export type Wanted = { weight: number; holders: number }

/** What a query's words are found by; a pair is two terms that follow one another, with a blank. */
export type QueryTokens = {
  terms: ReadonlyMap<string, Wanted>
  grams: ReadonlyMap<string, Wanted>
  pairs: ReadonlyMap<string, Wanted>
}

/** A word found as a whole is worth four of its pieces. Anything from 2 to 7 ranks as well. */
const termWeight = 4
const gramWeight = 1
const pairWeight = 1

/** The pieces of a query's rarest words find as much as those of all, in a third of the time. */
const wordsInPieces = 8

/** Of a query as long as a page the rarest tokens will do. */
const mostTerms = 64
const mostGrams = 128
/**
 * What is found is ranked by all tokens, so that it is enough to ask for the rarest grams, and to
 * weigh terms half as much: 0.999 of the first ten by 32 grams and all of the weight are among the
 * 48 found, in two thirds of the time.
 */
const mostGramsAsked = 24
const weightARepeat = 2
/** A word that stands four times in a query is what it is about. */
const mostRepeated = 8

type FoundWord = Tokens & { text: string; isSpaced: boolean }

/** Takes a query apart, going by how rare its words are in a datastore. */
export function queryTokens(query: string, counts: WordCounts): QueryTokens {
  const found: FoundWord[] = words(query).map((word) => {
    const { terms, grams } = tokensOfWord(word)
    return { text: word.text, terms, grams, isSpaced: word.kind === 'spaced' }
  })
  const terms = wanted(
    found.flatMap((word) => word.terms),
    termWeight,
    counts,
  )
  const cut = wordsToCut(found, terms)
  const grams = found.flatMap((word) => (cut.has(word.text) ? word.grams : []))
  return {
    terms: rarest(terms, mostTerms),
    grams: rarest(wanted(grams, gramWeight, counts), mostGrams),
    pairs: pairsOf(found, terms),
  }
}

/** The tokens as the index of words is asked: each as often as it weighs there, within reason. */
export const searchText = ({ terms, grams }: QueryTokens): string =>
  [...terms, ...rarest(grams, mostGramsAsked)]
    .map(([token, { weight }]) =>
      `${token} `.repeat(Math.min(Math.ceil(weight / weightARepeat), mostRepeated)),
    )
    .join('')

/** The words whose pieces are looked for: the rarest, misspelt ones first, and all unspaced ones. */
function wordsToCut(found: FoundWord[], terms: ReadonlyMap<string, Wanted>): Set<string> {
  const holdersOf = ({ terms: [term = ''] }: FoundWord) => terms.get(term)?.holders ?? Infinity
  const spaced = found
    .filter(({ isSpaced }) => isSpaced)
    .map((word) => ({ text: word.text, holders: holdersOf(word) }))
    .toSorted((a, b) => (a.holders === b.holders ? 0 : a.holders - b.holders))
  const rarestFirst = [...new Set(spaced.map(({ text }) => text))]
  const unspaced = found.filter(({ isSpaced }) => !isSpaced).map(({ text }) => text)
  return new Set([...rarestFirst.slice(0, wordsInPieces), ...unspaced])
}

/** Two terms with nothing but stop words between are as rare as the rarer of them, at least. */
function pairsOf(found: FoundWord[], terms: ReadonlyMap<string, Wanted>): QueryTokens['pairs'] {
  const pairs = new Map<string, Wanted>()
  let first: string | undefined
  for (const {
    isSpaced,
    terms: [second],
  } of found) {
    if (isSpaced && second === undefined) continue
    if (isSpaced && first !== undefined && second !== undefined) {
      const holders = Math.min(terms.get(first)!.holders, terms.get(second)!.holders)
      want(pairs, `${first} ${second}`, pairWeight, () => holders)
    }
    first = isSpaced ? second : undefined
  }
  return pairs
}

/** Each token once, weighed as often as it stands there. */
function wanted(tokens: string[], weight: number, counts: WordCounts): Map<string, Wanted> {
  const all = new Map<string, Wanted>()
  for (const token of tokens) want(all, token, weight, () => counts.holdersOf(token))
  return all
}

function want(
  all: Map<string, Wanted>,
  token: string,
  weight: number,
  countHolders: () => number,
): void {
  const known = all.get(token)
  if (known) known.weight += weight
  else all.set(token, { weight, holders: countHolders() })
}

/** Those that the fewest fragments hold, and of those that none holds only what is needed. */
function rarest(tokens: ReadonlyMap<string, Wanted>, most: number): ReadonlyMap<string, Wanted> {
  if (tokens.size <= most) return tokens
  const order = ({ holders }: Wanted) => holders || Number.MAX_SAFE_INTEGER
  return new Map([...tokens].toSorted(([, a], [, b]) => order(a) - order(b)).slice(0, most))
}
