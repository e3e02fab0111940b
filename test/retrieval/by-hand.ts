/**
 * Scores as the contract describes them, worked out for a handful of short English texts whose stems
 * are written down by hand. Nothing of the service is used.
 */

/** `stem` is what a word is found by as a whole, undefined for a stop word. */
type Word = { stem: string | undefined; grams: string[] }

/** All of a text is its opening: none is longer than 250 characters. */
export type Text = { text: string; words: Word[] }

/** A text with the stems of its words in order; a stop word has `-`. */
export function read(text: string, stems: string): Text {
  const given = stems.split(' ')
  const words = lettersOf(text).map((word, index) => ({
    stem: given[index] === '-' ? undefined : given[index],
    grams: gramsOf(word),
  }))
  if (words.length !== given.length) throw new Error(`${given.length} stems for "${text}"`)
  return { text, words }
}

const lettersOf = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? []

const gramsOf = (word: string): string[] =>
  [...`^${word}$`].flatMap((_letter, start, all) => {
    const gram = all.slice(start, start + 4).join('')
    return gram.length === 4 || start === 0 ? [`#${gram}`] : []
  })

const tokensOf = ({ words }: Text): string[] =>
  words.flatMap(({ stem, grams }) => [...(stem === undefined ? [] : [stem]), ...grams])

const stemsOf = (words: Word[]): string[] => words.flatMap(({ stem }) => stem ?? [])

/** How well a text answers a query by its words. */
type Match = { share: number; title: number; near: number }

/** One query put to some texts, which are all that is stored. */
export class ByHand {
  readonly #query: Text
  readonly #texts: Text[]

  constructor(query: Text, texts: Text[]) {
    this.#query = query
    this.#texts = texts
  }

  /** The score by keyword; 0 for a text that is not found. */
  keyword(): number[] {
    return this.#matches().map(({ share }) => share)
  }

  /**
   * The score by words and vectors of words.
   * @param like each text's cosine with the query
   * @param alike each text's cosine with each other
   * @param first the place of the text that was found first
   */
  lexical(like: number[], alike: number[][], first: number): number[] {
    const isFound = this.#matches().map(({ share }) => share > 0)
    const found = (values: number[]) => values.filter((_value, index) => isFound[index])
    if (this.#mostWords() === 0) return withoutWords(like)
    const [least, most] = [Math.min(...found(like)), Math.max(...found(like))]
    const placeOf = (index: number) => (most > least ? (like[index]! - least) / (most - least) : 0)
    const likeness = (index: number) => Math.max(0, Math.min(1, placeOf(index)))
    const weight = this.#query.words.length < 4 ? 0 : 0.2
    const values = this.#values(alike, isFound, (index) => weight * likeness(index))
    // What only fills up an answer stands below what words find.
    const lowest = Math.min(...found(values))
    const placed = values.map((value, index) => (isFound[index] ? value : Math.min(lowest, value)))
    return this.#scores(placed, like, first)
  }

  /**
   * The score by words and vectors of a model: the cosine counts by its place in their range, and words in
   * full once the best text has half of what could be.
   */
  semantic(like: number[], alike: number[][], first: number): number[] {
    if (this.#mostWords() === 0) return withoutWords(like)
    const [least, most] = [Math.min(...like), Math.max(...like)]
    const all = like.map(() => true)
    const weight = Math.min(1, this.#mostWords() / 0.5)
    const placeOf = (index: number) => (like[index]! - least) / (most - least)
    const values = this.#values(alike, all, placeOf, weight)
    return this.#scores(values, like, first)
  }

  /** @param isMeasured whether a text counts for the highest agreement */
  #values(
    alike: number[][],
    isMeasured: boolean[],
    more: (index: number) => number,
    weight = 1,
  ): number[] {
    const matches = this.#matches()
    const shares = matches.map(({ share }) => share / this.#mostWords())
    const agreements = agreement(shares, alike, isMeasured)
    return matches.map(
      ({ title, near }, index) =>
        weight * (shares[index]! + 0.35 * agreements[index]! + 0.5 * title + 0.6 * near) +
        more(index),
    )
  }

  /** The first text's own words and cosine say how well the query is answered. */
  #scores(values: number[], like: number[], first: number): number[] {
    const words = this.#matches()[first]!.share
    const answered = Math.max(0.75 * words, 0.4 * words + 0.6 * Math.max(0, like[first]!))
    return values.map((value) => (value / values[first]!) * answered)
  }

  #mostWords(): number {
    return Math.max(...this.#matches().map(({ share }) => share))
  }

  #matches(): Match[] {
    const rarities = new Map(stemsOf(this.#query.words).map((stem) => [stem, this.#idf(stem)]))
    const all = sum(rarities.values())
    return this.#texts.map((text) => ({
      share: this.#bm25(text) / this.#mostBm25(),
      title: all && sum(new Set(stemsOf(text.words)), (stem) => rarities.get(stem) ?? 0) / all,
      near: all && nearness(text, rarities) / all,
    }))
  }

  #bm25(text: Text): number {
    const average = sum(this.#texts, (one) => tokensOf(one).length) / this.#texts.length
    const norm = 1.2 * (0.25 + (0.75 * tokensOf(text).length) / average)
    const saturated = (all: string[], one: string) => {
      const times = all.filter((other) => other === one).length
      return (times * 2.2) / (times + norm)
    }
    return sum(tokensOf(this.#query), (token) => {
      return weightOf(token) * this.#idf(token) * saturated(tokensOf(text), token)
    })
  }

  /** What a text would come to that says nothing but the query, for ever. */
  #mostBm25(): number {
    return 2.2 * sum(tokensOf(this.#query), (token) => weightOf(token) * this.#idf(token))
  }

  #idf(token: string): number {
    const holders = this.#texts.filter((text) => tokensOf(text).includes(token)).length
    return Math.log(1 + (this.#texts.length - holders + 0.5) / (holders + 0.5))
  }
}

/** Where no words are found their part of the score is nothing. */
const withoutWords = (like: number[]): number[] => like.map((cosine) => Math.max(0, 0.6 * cosine))

const weightOf = (token: string): number => (token.startsWith('#') ? 1 : 4)

/** Each two of the stems by the least distance between them, in words. */
function nearness({ words }: Text, rarities: Map<string, number>): number {
  const stems = [...rarities.keys()]
  const placesOf = (stem: string) =>
    words.flatMap((word, place) => (word.stem === stem ? place : []))
  const near = (first: string, second: string) => {
    const distances = placesOf(first).flatMap((one) =>
      placesOf(second).map((other) => Math.abs(one - other)),
    )
    const least = Math.min(...distances)
    return least > 12 ? 0 : Math.min(rarities.get(first)!, rarities.get(second)!) / least
  }
  return sum(stems.entries(), ([index, first]) =>
    sum(stems.slice(index + 1), (second) => near(first, second)),
  )
}

/**
 * How like each text is to the others, the more to those that hold more words; in that of the most. One
 * that alone holds words has as much.
 */
function agreement(shares: number[], alike: number[][], isMeasured: boolean[]): number[] {
  const likeness = shares.map((_share, index) => {
    const others = shares.map((share, other) => (other === index ? 0 : share ** 4))
    const all = sum(others)
    if (all === 0) return undefined
    return Math.max(0, sum(others.keys(), (other) => others[other]! * alike[index]![other]!) / all)
  })
  // Below 0.2, texts are as like by chance.
  const measured = likeness.filter((_value, index) => isMeasured[index])
  const most = Math.max(0.2, ...measured.map((value) => value ?? 0))
  return likeness.map((value) => (value === undefined ? 1 : Math.min(1, value / most)))
}

function sum(values: Iterable<number>): number
function sum<T>(values: Iterable<T>, of: (value: T) => number): number
function sum<T>(values: Iterable<T>, of = (value: T) => Number(value)): number {
  let total = 0
  for (const value of values) total += of(value)
  return total
}
