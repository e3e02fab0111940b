/** As LanceDB has them. */
const [k1, b] = [1.2, 0.75]

type Posting = { place: number; times: number }

/** BM25 in memory, over texts as tokens with blanks between. */
export class Bm25 {
  readonly #postings = new Map<string, Posting[]>()
  readonly #lengths: number[] = []
  readonly #meanLength: number

  constructor(texts: string[]) {
    for (const [place, text] of texts.entries()) {
      const tokens = text.split(' ')
      this.#lengths.push(tokens.length)
      for (const [token, { length: times }] of Map.groupBy(tokens, (one) => one)) {
        const known = this.#postings.get(token)
        if (known) known.push({ place, times })
        else this.#postings.set(token, [{ place, times }])
      }
    }
    this.#meanLength = this.#lengths.reduce((sum, one) => sum + one, 0) / texts.length
  }

  documentFrequency(token: string): number {
    return this.#postings.get(token)?.length ?? 0
  }

  /** The best places by the tokens, each with its weight. */
  search(tokens: ReadonlyMap<string, number>, limit: number): { place: number; score: number }[] {
    const scores = new Map<number, number>()
    for (const [token, weight] of tokens) {
      const postings = this.#postings.get(token) ?? []
      const rest = this.#lengths.length - postings.length
      const idf = Math.log(1 + (rest + 0.5) / (postings.length + 0.5))
      for (const { place, times } of postings) {
        const norm = k1 * (1 - b + (b * this.#lengths[place]!) / this.#meanLength)
        const gain = (weight * idf * times * (k1 + 1)) / (times + norm)
        scores.set(place, (scores.get(place) ?? 0) + gain)
      }
    }
    return Array.from(scores, ([place, score]) => ({ place, score }))
      .toSorted((one, other) => other.score - one.score || one.place - other.place)
      .slice(0, limit)
  }
}
