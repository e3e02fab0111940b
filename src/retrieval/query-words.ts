import { idfsOf } from '../store/store.ts'
import type { TermStatistics } from '../store/types.ts'
import { authorshipIn, authorshipTerms } from '../text/question-phrases.ts'
import { letterNamesOfQuery } from '../text/words.ts'
import { otherNumbersOf } from '../text/word.ts'
import { isStopWord } from '../text/stop-words.ts'
import { type TokenizedWord, tokenized } from '../text/tokens.ts'

type Weighted = { token: string; weight: number }

/** `times` counts the query; `holders` is about how many fragments hold the token. */
export type Counted = { weight: number; times: number; holders: number; idf: number }

export type CountedTerms = ReadonlyMap<string, Counted>

export const maxHoldersOfRare = 5

/** What a term counts for, beside 1 for a gram. */
const weightOfTerm = 4
const weightOfOther = 2
/** The grams of a word of six letters; a number of few digits has fewer, and tells as much. */
const gramsOfWord = 5
/** In a longer query only two words are joined, one of them rare. */
const maxWordsInRows = 8
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
  const lacking = /^\d+$/.test(text) ? Math.max(0, gramsOfWord - tokens.grams.length) : 0
  if (kind === 'sign') return weightOfOther
  return kind === 'part' ? weightOfOther + Math.floor(lacking / 2) : weightOfTerm + lacking
}

/** What a fragment may hold instead: other spellings, joined words, a later version, the name of a letter, `author` for `who wrote`. */
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
  if (spaced.length <= maxWordsInRows) return joined(rowsIn(spaced, maxJoined))
  const isRare = ({ tokens }: TokenizedWord) =>
    tokens.terms.some((term) => (terms.get(term)?.holders ?? Infinity) <= maxHoldersOfRare)
  return joined(rowsIn(spaced, 2).filter((row) => row.some(isRare)))
}

const rowsIn = (found: TokenizedWord[], maxLength: number): TokenizedWord[][] =>
  found.flatMap((_, start) =>
    Array.from({ length: Math.min(maxLength, found.length - start) - 1 }, (_one, more) =>
      found.slice(start, start + more + 2),
    ),
  )

function joined(rows: TokenizedWord[][]): Weighted[] {
  const texts = rows.map((row) => row.map(({ text }) => text).join(''))
  return tokenized(texts.map((text) => ({ text, kind: 'whole' }))).flatMap(({ tokens }, index) =>
    tokens.terms.map((token) => ({ token, weight: weightOfJoined(rows[index]!) })),
  )
}

/** Letters that are spelt say little each, and all together what is meant; `a b` may be two of a sentence. */
function weightOfJoined(row: TokenizedWord[]): number {
  const isSpelt =
    row.every(({ text }) => loneLetter.test(text)) &&
    (row.length > 2 || !row.some(({ text }) => isStopWord(text)))
  return isSpelt ? weightOfTerm * row.length : weightOfOther * (row.length - 1)
}

export function countTokens(tokens: Weighted[], statistics: TermStatistics): Map<string, Counted> {
  const all = new Map<string, Counted>()
  for (const { token, weight } of tokens) {
    const known = all.get(token)
    if (known) {
      known.times += 1
      known.weight = Math.max(known.weight, weight)
    } else all.set(token, { weight, times: 1, holders: 0, idf: 0 })
  }
  const holders = statistics.documentFrequencies([...all.keys()])
  const idfs = idfsOf(holders, statistics.fragments)
  for (const [index, one] of [...all.values()].entries()) {
    one.holders = holders[index]!
    one.idf = idfs[index]!
  }
  return all
}

/** The tokens with the lowest document frequency, and up to `maxUnseen` that no sampled fragment holds, as of a new one. */
export function rarest(
  tokens: Map<string, Counted>,
  max: number,
  maxUnseen = 0,
): Map<string, Counted> {
  if (tokens.size <= max) return tokens
  const unseen = [...tokens].filter(([, { holders }]) => holders === 0)
  const seen = [...tokens]
    .filter(([, { holders }]) => holders > 0)
    .toSorted(([, a], [, b]) => a.holders - b.holders)
    .slice(0, max - Math.min(unseen.length, maxUnseen))
  return new Map([...seen, ...unseen].slice(0, max))
}
