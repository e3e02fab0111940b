/** The indexes of the query's words that a text holds, rising, and how much of each, above 0 to 1. */
export type Cover = { indexes: readonly number[]; shares: readonly number[] }

export const emptyCover: Cover = { indexes: [], shares: [] }

export class CoverSum {
  readonly #shares: Float64Array
  #indexes: number[] = []

  constructor(count: number) {
    this.#shares = new Float64Array(count)
  }

  add({ indexes, shares }: Cover): void {
    for (let place = 0; place < indexes.length; place++) {
      const [index, share] = [indexes[place]!, shares[place]!]
      const known = this.#shares[index]!
      if (known === 0) this.#indexes.push(index)
      if (share > known) this.#shares[index] = share
    }
  }

  take(): Cover {
    if (this.#indexes.length === 0) return emptyCover
    const indexes = this.#indexes.toSorted((a, b) => a - b)
    const shares = indexes.map((index) => this.#shares[index]!)
    for (const index of indexes) this.#shares[index] = 0
    this.#indexes = []
    return { indexes, shares }
  }
}

/** The weight of a word that only the rest of the fragment has. */
const weightInFragment = 0.1

type Weights = {
  count: number
  weightOf(index: number): number
  shareOfSum(held: number): number
}

/** The words of a question that a fragment holds, so that passages are compared with their surroundings. */
export class FragmentCover {
  readonly #question: Weights
  readonly #indexes: readonly number[]
  readonly #weights: Float64Array
  readonly #least: Float64Array
  readonly #held: Float64Array
  readonly #placeOf: ReadonlyMap<number, number>

  constructor(question: Weights, covers: Cover[]) {
    const sum = new CoverSum(question.count)
    for (const cover of covers) sum.add(cover)
    const { indexes, shares } = sum.take()
    this.#question = question
    this.#indexes = indexes
    this.#weights = Float64Array.from(indexes, (index) => question.weightOf(index))
    this.#least = Float64Array.from(shares, (share) => share * weightInFragment)
    this.#held = new Float64Array(indexes.length)
    this.#placeOf = new Map(indexes.map((index, place) => [index, place]))
  }

  holds(index: number): boolean {
    return this.#placeOf.has(index)
  }

  /** The share of the question that weighted covers hold with the fragment around them. */
  shareOf(covers: [cover: Cover | undefined, weight: number][]): number {
    this.#held.set(this.#least)
    for (const [cover, weight] of covers) if (cover) this.#raise(cover, weight)
    let sum = 0
    for (let place = 0; place < this.#indexes.length; place++) {
      sum += this.#weights[place]! * this.#held[place]!
    }
    return this.#question.shareOfSum(sum)
  }

  #raise({ indexes, shares }: Cover, weight: number): void {
    for (let at = 0; at < indexes.length; at++) {
      const place = this.#placeOf.get(indexes[at]!)
      // A piece of a text may have a word that the whole writes as part of another.
      if (place === undefined) continue
      this.#held[place] = Math.max(this.#held[place]!, shares[at]! * weight)
    }
  }
}
