import { mostOf, normOf, rarity } from '../bm25.ts'
import { HashSums } from '../hash-sums.ts'
import type { WordCounts } from '../store/word-counts.ts'
import type { SoughtTokens } from '../store/word-index.ts'
import { hashOfToken } from '../token-hash.ts'
import { analysisOf, type AnalysedText, stopWord, unspacedRun } from './analysed-text.ts'
import { Nearness } from './nearness.ts'
import type { QueryTokens, Wanted } from './query-tokens.ts'

/** How well a text answers a query by its words; each is 0 where it does not. */
export type TextMatch = {
  /** BM25 of the tokens that are sought, as the store measures it. */
  sought: number
  /** BM25 of all tokens and pairs. */
  words: number
  /** How close together the query's terms stand. */
  near: number
  /** Which share of the query's terms stands in the first line. */
  line: number
}

/** In place of a term's place: that of a term the query does not have, or of nothing so far. */
const other = -1

/**
 * Compares texts with one query. Where loops count places, what iterators and callbacks leave behind
 * was half of the garbage of a hybrid query, and a fifth of the time of ranking.
 */
export class TextMatcher {
  readonly #averageLength: number
  /** What the query's terms, grams and pairs can add; each is known by its place. */
  readonly #values: Float64Array
  /** What those of them can add that are sought, by the same places; 0 for the others. */
  readonly #soughtValues: Float64Array
  /** One more than the place of each term and gram, by its hash. */
  readonly #places = new HashSums()
  readonly #pairs = new Map<number, number>()
  /** How rare each term is. */
  readonly #rarities: number[]
  readonly #allRarities: number
  readonly #frequencies: Float64Array
  readonly #nearness: Nearness
  /** What texts were matched already. */
  readonly #matches = new Map<string, TextMatch>()
  /** The most that `words` can come to; 0 for a query without a word. */
  readonly ideal: number

  constructor({ terms, grams, pairs }: QueryTokens, sought: SoughtTokens, counts: WordCounts) {
    const valueOf = ({ weight, holders }: Wanted) =>
      weight * mostOf(rarity(holders, counts.fragments))
    this.#averageLength = counts.averageLength
    this.#rarities = Array.from(terms.values(), ({ holders }) => rarity(holders, counts.fragments))
    this.#allRarities = sum(this.#rarities)
    this.#nearness = new Nearness(this.#rarities)
    const values: number[] = []
    for (const [token, wanted] of [...terms, ...grams]) {
      const place = values.push(valueOf(wanted))
      if (this.#placeOf(hashOfToken(token)) === other) this.#places.add(hashOfToken(token), place)
    }
    // Of a long query not all grams count; those of its misspelt words are sought all the same.
    for (const hash of Array.from(sought.keys(), hashOfToken)) {
      if (this.#placeOf(hash) === other) this.#places.add(hash, values.push(0))
    }
    for (const [pair, wanted] of pairs) {
      const [first, second] = pair.split(' ')
      if (!terms.has(first!) || !terms.has(second!)) continue
      const key = this.#pairKey(
        this.#placeOf(hashOfToken(first!)),
        this.#placeOf(hashOfToken(second!)),
      )
      this.#pairs.set(key, values.push(valueOf(wanted)) - 1)
    }
    this.#values = Float64Array.from(values)
    this.#soughtValues = new Float64Array(values.length)
    for (const [token, times] of sought) {
      const value = valueOf({ weight: times, holders: counts.holdersOf(token) })
      this.#soughtValues[this.#placeOf(hashOfToken(token))]! += value
    }
    this.#frequencies = new Float64Array(values.length)
    this.ideal = sum(values)
  }

  match(text: string): TextMatch {
    const known = this.#matches.get(text)
    if (known) return known
    const match = this.#match(analysisOf(text))
    this.#matches.set(text, match)
    return match
  }

  #match({ tokens, terms, line }: AnalysedText): TextMatch {
    const frequencies = this.#frequencies.fill(0)
    for (const token of tokens) {
      const place = this.#placeOf(token)
      if (place !== other) frequencies[place]! += 1
    }
    const near = this.#passPairs(terms)
    const norm = normOf(tokens.length, this.#averageLength)
    return {
      sought: this.#bm25(this.#soughtValues, norm),
      words: this.#bm25(this.#values, norm),
      near: this.#shareOfTerms(near),
      line: this.#shareOfTerms(this.#rarityIn(line)),
    }
  }

  /** Counts the pairs among a text's terms, and returns how near all of them stand. */
  #passPairs(terms: Int32Array): number {
    this.#nearness.clear()
    let previous = other
    for (let place = 0; place < terms.length; place++) {
      const hash = terms[place]!
      if (hash === stopWord) continue
      const term = hash === unspacedRun ? other : this.#placeOf(hash)
      if (term !== other) {
        const pair = previous === other ? undefined : this.#pairs.get(this.#pairKey(previous, term))
        if (pair !== undefined) this.#frequencies[pair]! += 1
        this.#nearness.add(term, place)
      }
      previous = term
    }
    return this.#nearness.total
  }

  #bm25(values: Float64Array, norm: number): number {
    let total = 0
    for (let place = 0; place < values.length; place++) {
      const frequency = this.#frequencies[place]!
      if (frequency > 0) total += (values[place]! * frequency) / (frequency + norm)
    }
    return total
  }

  #rarityIn(line: Int32Array): number {
    let total = 0
    for (const term of line) total += this.#rarities[this.#placeOf(term)] ?? 0
    return total
  }

  #shareOfTerms(value: number): number {
    return this.#allRarities === 0 ? 0 : value / this.#allRarities
  }

  #placeOf(hash: number): number {
    return this.#places.sumOf(hash) - 1
  }

  #pairKey(first: number, second: number): number {
    return first * this.#rarities.length + second
  }
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)
