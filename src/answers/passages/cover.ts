/** The indexes of the query's words that a text holds, rising, and how much of each, above 0 to 1. */
export type Cover = { indexes: readonly number[]; shares: readonly number[] }

export const emptyCover: Cover = { indexes: [], shares: [] }

/** Gathers covers into one, which has the greatest share of each word. */
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
