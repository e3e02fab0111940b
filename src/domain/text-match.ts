import type { WordCounts } from '../store/word-counts.ts'
import { kindOf } from '../embeddings/words.ts'
import type { AnalysedText } from './analysed-text.ts'
import { Nearness } from './nearness.ts'
import type { QueryTokens, Wanted } from './query-tokens.ts'
import { addTokensAt, tokensOfWord } from './terms.ts'

/** How well a text answers a query by its words; each is 0 where it does not. */
export type TextMatch = {
  /** BM25 of the tokens and pairs. */
  words: number
  /** How close together the query's terms stand. */
  near: number
  /** Which share of the query's terms stands in the first line. */
  line: number
}

/** BM25's own: how soon more of a token says no more, and how much long texts are held back. */
const saturation = 1.2
const lengthShare = 0.75

/** What a word of a text is to a query. */
type Known = {
  /** Which of the query's tokens it holds, by their places. */
  held: number[]
  /** Its term's place among those, `other` where the query has no such term, `none` without a term. */
  term: number
  /** How many tokens it has. */
  length: number
}
const other = -1
const none = -2

/** Compares texts with one query. */
export class TextMatcher {
  readonly #averageLength: number
  /** What the query's terms, then its grams, then its pairs can add; each is known by its place. */
  readonly #values: number[] = []
  readonly #places = new Map<string, number>()
  readonly #pairs = new Map<number, number>()
  /** The characters that tokens begin with. */
  readonly #beginnings: ReadonlySet<string>
  /** How rare each term is. */
  readonly #rarities: number[]
  readonly #known = new Map<string, Known>()
  readonly #frequencies: Float64Array
  /** The most that `words` can come to; 0 for a query without a word. */
  readonly ideal: number

  constructor({ terms, grams, pairs }: QueryTokens, counts: WordCounts) {
    const valueOf = ({ weight, holders }: Wanted) =>
      (saturation + 1) * weight * rarity(holders, counts.fragments)
    this.#averageLength = counts.averageLength
    this.#rarities = Array.from(terms.values(), ({ holders }) => rarity(holders, counts.fragments))
    for (const [token, wanted] of [...terms, ...grams]) {
      this.#places.set(token, this.#values.push(valueOf(wanted)) - 1)
    }
    this.#beginnings = new Set([...this.#places.keys()].map(beginningOf))
    for (const [pair, wanted] of pairs) {
      const [first, second] = pair.split(' ').map((term) => this.#places.get(term))
      if (first === undefined || second === undefined) continue
      this.#pairs.set(this.#pairKey(first, second), this.#values.push(valueOf(wanted)) - 1)
    }
    this.#frequencies = new Float64Array(this.#values.length)
    this.ideal = sum(this.#values)
  }

  match({ words, line }: AnalysedText): TextMatch {
    const frequencies = this.#frequencies.fill(0)
    const nearness = new Nearness(this.#rarities)
    let length = 0
    let previous = none
    words.forEach((word, place) => {
      const known = this.#knownOf(word)
      length += known.length
      for (const held of known.held) frequencies[held]! += 1
      const { term } = known
      if (term === none) return
      if (term >= 0) {
        const pair = previous < 0 ? undefined : this.#pairs.get(this.#pairKey(previous, term))
        if (pair !== undefined) frequencies[pair]! += 1
        nearness.add(term, place)
      }
      previous = term
    })
    return {
      words: this.#bm25(length),
      near: this.#shareOfTerms(nearness.total),
      line: this.#shareOfTerms(this.#rarityIn(line)),
    }
  }

  #bm25(length: number): number {
    const norm = saturation * (1 - lengthShare + (lengthShare * length) / this.#averageLength)
    let total = 0
    this.#frequencies.forEach((frequency, place) => {
      if (frequency > 0) total += (this.#values[place]! * frequency) / (frequency + norm)
    })
    return total
  }

  #rarityIn(line: string[]): number {
    const held = new Set(line.flatMap((word) => this.#knownOf(word).held))
    return sum([...held].map((place) => this.#rarities[place] ?? 0))
  }

  #shareOfTerms(value: number): number {
    const all = sum(this.#rarities)
    return all === 0 ? 0 : value / all
  }

  #knownOf(word: string): Known {
    const known = this.#known.get(word)
    if (known) return known
    const kind = kindOf(word)
    if (kind === 'unspaced') return this.#knownOfRun([...word])
    const { terms, grams } = tokensOfWord({ text: word, kind })
    const [term] = terms
    const fresh = {
      held: this.#placesOf(terms, grams),
      term: term === undefined ? none : (this.#places.get(term) ?? other),
      length: terms.length + grams.length,
    }
    this.#known.set(word, fresh)
    return fresh
  }

  /** Most characters of a run begin nothing that the query has. */
  #knownOfRun(characters: string[]): Known {
    const tokens = { terms: [], grams: [] }
    characters.forEach((character, place) => {
      if (this.#beginnings.has(character)) addTokensAt(place, characters, tokens)
    })
    const pairs = characters.length - 1
    return {
      held: this.#placesOf(tokens.terms, tokens.grams),
      term: other,
      length: characters.length + 2 * pairs + Math.max(0, pairs - 1),
    }
  }

  #placesOf(...lists: (readonly string[])[]): number[] {
    const places: number[] = []
    for (const tokens of lists) {
      for (const token of tokens) {
        const place = this.#places.get(token)
        if (place !== undefined) places.push(place)
      }
    }
    return places
  }

  #pairKey(first: number, second: number): number {
    return first * this.#rarities.length + second
  }
}

const beginningOf = (token: string): string => /^#?(.)/su.exec(token)?.[1] ?? ''

/** BM25's inverse document frequency: what a token tells of the fragments that hold it. */
const rarity = (holders: number, fragments: number): number =>
  Math.log(1 + Math.max(0, fragments - holders + 0.5) / (holders + 0.5))

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)
