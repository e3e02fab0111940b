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
  /** Those grams that are of words of which hardly any fragment holds a term. */
  gramsOfRare: ReadonlyMap<string, Wanted>
}

/** A word found as a whole is worth four of its pieces. Anything from 2 to 7 ranks as well. */
export const termWeight = 4
export const gramWeight = 1
const pairWeight = 1

/** The pieces of a query's rarest words find as much as those of all, in a third of the time. */
const wordsInPieces = 8

/** Of a query as long as a page the rarest tokens will do. */
const mostTerms = 64
const mostGrams = 128
/** Of words that no more fragments hold the pieces are looked for, too: a misspelt one finds nothing else. */
const hardlyAny = 5

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
  const inPieces = found.filter(({ text }) => cut.has(text))
  const isHeld = (term: string) => terms.get(term)!.holders > hardlyAny
  const rare = inPieces.filter((word) => word.terms.length > 0 && !word.terms.some(isHeld))
  return {
    terms: rarest(terms, mostTerms),
    grams: rarest(gramsOf(inPieces, counts), mostGrams),
    pairs: pairsOf(found, terms),
    gramsOfRare: gramsOf(rare, counts),
  }
}

const gramsOf = (found: FoundWord[], counts: WordCounts): Map<string, Wanted> =>
  wanted(
    found.flatMap((word) => word.grams),
    gramWeight,
    counts,
  )

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
export function rarest(
  tokens: ReadonlyMap<string, Wanted>,
  most: number,
): ReadonlyMap<string, Wanted> {
  if (tokens.size <= most) return tokens
  const order = ({ holders }: Wanted) => holders || Number.MAX_SAFE_INTEGER
  return new Map([...tokens].toSorted(([, a], [, b]) => order(a) - order(b)).slice(0, most))
}
