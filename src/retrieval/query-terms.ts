import type { WeightedTokens } from '../store/indexes/word-index.ts'
import type { TermStatistics } from '../store/search/term-sample.ts'
import { tokensOfWord, type Tokens } from '../text/tokens.ts'
import { words } from '../text/words.ts'
import { idf, maxScore } from './bm25.ts'

export type QueryTerms = {
  /** What the index is asked for: the terms, and grams of some words. */
  asked: WeightedTokens
  idfs: ReadonlyMap<string, number>
  /** The score of a fragment that says nothing but the question. */
  ideal: number
}

/** For a query as long as a page the rarest terms will do. */
const maxTerms = 64
/** The grams of a query's rarest words find as much as the grams of all. */
const maxWordsInGrams = 8
const maxGrams = 48
/**
 * Up to this sum of document frequencies, grams cost a search little. Past it only the grams of words
 * that hardly any fragment holds are asked: a misspelt word finds nothing else.
 */
const maxGramHolders = 8_192
const maxHoldersOfRare = 5
/** A term counts as much as so many grams. */
const timesBesideGrams = 4
/** What stands four times in a query is what it is about. */
const maxRepeated = 4

/** `times` in the query; about so many fragments are `holders`. */
type Counted = { times: number; holders: number }

type QueryWord = { text: string; isSpaced: boolean; tokens: Tokens }

/** Takes a query apart, going by how rare its words are in a datastore. */
export function queryTerms(query: string, statistics: TermStatistics): QueryTerms {
  const found = words(query).map((word): QueryWord => ({
    tokens: tokensOfWord(word),
    text: word.text,
    isSpaced: word.kind === 'spaced',
  }))
  const counted = (tokens: string[]) => countTokens(tokens, statistics)
  const terms = rarest(counted(found.flatMap(({ tokens }) => tokens.terms)), maxTerms)
  const grams = gramsToAsk(found, terms, counted)
  const asked = new Map([
    ...weighted(terms, grams.size === 0 ? 1 : timesBesideGrams),
    ...weighted(grams, 1),
  ])
  const idfOf = ({ holders }: Counted) => idf(holders, statistics.fragments)
  const all = new Map([...terms, ...grams])
  const scores = Array.from(asked, ([token, times]) => times * maxScore(idfOf(all.get(token)!)))
  return {
    asked,
    idfs: new Map(Array.from(terms, ([term, one]) => [term, idfOf(one)])),
    ideal: scores.reduce((sum, score) => sum + score, 0),
  }
}

function gramsToAsk(
  found: QueryWord[],
  terms: ReadonlyMap<string, Counted>,
  counted: (tokens: string[]) => Map<string, Counted>,
): Map<string, Counted> {
  const gramsOf = (some: QueryWord[]) =>
    rarest(counted(some.flatMap(({ tokens }) => tokens.grams)), maxGrams)
  const inGrams = wordsInGrams(found, terms)
  const grams = gramsOf(inGrams)
  const holders = grams.values().reduce((sum, one) => sum + one.holders * one.times, 0)
  if (holders <= maxGramHolders || terms.size === 0) return grams
  const isHeld = (term: string) => (terms.get(term)?.holders ?? 0) > maxHoldersOfRare
  return gramsOf(
    inGrams.filter(({ tokens }) => tokens.terms.length > 0 && !tokens.terms.some(isHeld)),
  )
}

/** The rarest words, so misspelt ones first, and all unspaced ones. */
function wordsInGrams(found: QueryWord[], terms: ReadonlyMap<string, Counted>): QueryWord[] {
  const holdersOf = ({
    tokens: {
      terms: [term = ''],
    },
  }: QueryWord) => terms.get(term)?.holders ?? Infinity
  const spaced = found
    .filter(({ isSpaced }) => isSpaced)
    .map((word) => ({ text: word.text, holders: holdersOf(word) }))
    .toSorted((a, b) => (a.holders === b.holders ? 0 : a.holders - b.holders))
  const rare = new Set([...new Set(spaced.map(({ text }) => text))].slice(0, maxWordsInGrams))
  return found.filter(({ text, isSpaced }) => !isSpaced || rare.has(text))
}

function countTokens(tokens: string[], statistics: TermStatistics): Map<string, Counted> {
  const all = new Map<string, Counted>()
  for (const token of tokens) {
    const known = all.get(token)
    if (known) known.times += 1
    else all.set(token, { times: 1, holders: statistics.documentFrequency(token) })
  }
  return all
}

/** The tokens with the lowest document frequency; those that no fragment seems to hold come last. */
function rarest(tokens: Map<string, Counted>, max: number): Map<string, Counted> {
  if (tokens.size <= max) return tokens
  const order = ({ holders }: Counted) => holders || Number.MAX_SAFE_INTEGER
  return new Map([...tokens].toSorted(([, a], [, b]) => order(a) - order(b)).slice(0, max))
}

const weighted = (tokens: ReadonlyMap<string, Counted>, weight: number) =>
  Array.from(
    tokens,
    ([token, { times }]) => [token, weight * Math.min(times, maxRepeated)] as const,
  )
