import { type Found, type Hit, inPlace } from './hits.ts'

/** The best of what was offered: by value, and of equal values in a fixed order. */
export class Best {
  readonly #limit: number
  readonly #order: (a: Found, b: Found) => number
  readonly #best: Hit[] = []

  /**
   * @param limit how many, at least 1
   * @param order of those of equal values
   */
  constructor(limit: number, order = inPlace) {
    this.#limit = limit
    this.#order = order
  }

  /** The best first. */
  get hits(): readonly Hit[] {
    return this.#best
  }

  /** The best first. */
  get found(): Found[] {
    return this.#best.map(({ found }) => found)
  }

  /** What one must be worth to be among the best; 0 as long as there is room for any. */
  get least(): number {
    return this.#best.length < this.#limit ? 0 : this.#best.at(-1)!.value
  }

  /** Whether one of such a value could be among the best. */
  mayTake(value: number): boolean {
    return this.#best.length < this.#limit || value >= this.least
  }

  offer(found: Found, value: number): void {
    const best = this.#best
    const isBetter = (other: Hit) =>
      other.value > value || (other.value === value && this.#order(other.found, found) < 0)
    best.splice(best.findLastIndex(isBetter) + 1, 0, { found, value })
    if (best.length > this.#limit) best.pop()
  }
}
