import { type Word, words } from '../embeddings/words.ts'
import type { WordCounts } from '../store/word-counts.ts'
import { type Tokens, tokensOfWord } from './terms.ts'

/** Something a query asks for: how much it counts for in itself, and how much for its rarity. */
export type Wanted = { weight: number; rarity: number }

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

/** Takes a query apart, going by how rare its words are in a datastore. */
export function queryTokens(query: string, counts: WordCounts): QueryTokens {
  const found = words(query).map((word) => ({ ...tokensOfWord(word), kind: word.kind }))
  const terms = wanted(
    found.flatMap((word) => word.terms),
    termWeight,
    counts,
  )
  const inPieces = wordsToCut(found, terms)
  const grams = found.flatMap((word) => (inPieces.has(word.all) ? word.grams : []))
  return {
    terms: rarest(terms, mostTerms),
    grams: rarest(wanted(grams, gramWeight, counts), mostGrams),
    pairs: pairsOf(found, terms),
  }
}

type FoundWord = Tokens & Pick<Word, 'kind'>

/** The words whose pieces are looked for: the rarest few, and whatever is written unspaced. */
function wordsToCut(found: FoundWord[], terms: ReadonlyMap<string, Wanted>): Set<string> {
  const unspaced = found.filter(({ kind }) => kind === 'unspaced').map(({ all }) => all)
  const spaced = found
    .filter(({ kind }) => kind === 'spaced')
    .map(({ all, terms: [term = ''] }) => ({ all, rarity: terms.get(term)?.rarity ?? 0 }))
    .toSorted((a, b) => b.rarity - a.rarity)
  const rarestFirst = [...new Set(spaced.map(({ all }) => all))]
  return new Set([...unspaced, ...rarestFirst.slice(0, wordsInPieces)])
}

/** Two terms with nothing but stop words between are as rare as the rarer of them, at least. */
function pairsOf(found: FoundWord[], terms: ReadonlyMap<string, Wanted>): QueryTokens['pairs'] {
  const pairs = new Map<string, Wanted>()
  let first: string | undefined
  for (const word of found) {
    const [second] = word.terms
    if (word.kind === 'unspaced') first = undefined
    else if (second !== undefined) {
      if (first !== undefined) {
        const rarity = Math.max(terms.get(first)!.rarity, terms.get(second)!.rarity)
        add(pairs, `${first} ${second}`, pairWeight, () => rarity)
      }
      first = second
    }
  }
  return pairs
}

/** Each token once, weighed as often as it stands there. */
function wanted(tokens: string[], weight: number, counts: WordCounts): Map<string, Wanted> {
  const all = new Map<string, Wanted>()
  const rarityOf = (token: string) => rarity(counts.holdersOf(token), counts.fragments)
  for (const token of tokens) add(all, token, weight, rarityOf)
  return all
}

function add(
  all: Map<string, Wanted>,
  token: string,
  weight: number,
  rarityOf: (token: string) => number,
): void {
  const known = all.get(token)
  if (known) known.weight += weight
  else all.set(token, { weight, rarity: rarityOf(token) })
}

/** BM25's inverse document frequency. */
const rarity = (holders: number, fragments: number): number =>
  Math.log(1 + Math.max(0, fragments - holders + 0.5) / (holders + 0.5))

const rarest = (tokens: Map<string, Wanted>, most: number): ReadonlyMap<string, Wanted> =>
  tokens.size <= most
    ? tokens
    : new Map([...tokens].toSorted(([, a], [, b]) => b.rarity - a.rarity).slice(0, most))

/** The tokens as the index of words is asked: each as often as it weighs. */
export const searchText = ({ terms, grams }: QueryTokens): string =>
  [...terms, ...grams].map(([token, { weight }]) => `${token} `.repeat(weight)).join('')
