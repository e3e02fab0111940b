import { type FragmentPlace, type Found, inPlace } from './hits.ts'

/** Of what was offered, one, and what that is worth. */
type Offered<T> = { readonly found: T; readonly value: number }

/** The best of what was offered: by value, and of equal values what stands first. */
export class Best<T extends FragmentPlace = Found> {
  readonly #limit: number
  readonly #mostAlike: number
  readonly #best: Offered<T>[] = []

  /**
   * @param limit how many, at least 1
   * @param mostAlike how many there may be with the others that are worth as much as the last of them
   */
  constructor(limit: number, mostAlike = limit) {
    this.#limit = limit
    this.#mostAlike = mostAlike
  }

  /** The best first. */
  get hits(): readonly Offered<T>[] {
    return this.#best
  }

  /** The best first. */
  get found(): T[] {
    return this.#best.map(({ found }) => found)
  }

  /** What one must be worth to be among the best; 0 as long as there is room for any. */
  get least(): number {
    return this.#best[this.#limit - 1]?.value ?? 0
  }

  /** Whether one of such a value could be among the best. */
  mayTake(value: number): boolean {
    return this.#best.length < this.#limit || value >= this.least
  }

  offer(found: T, value: number): void {
    const best = this.#best
    best.splice(this.#placeOf(found, value), 0, { found, value })
    while (best.length > this.#limit && !this.#isKept) best.pop()
  }

  /** Whether the last is as good as that at the limit, and there are not too many alike. */
  get #isKept(): boolean {
    return this.#best.length <= this.#mostAlike && this.#best.at(-1)!.value === this.least
  }

  /** How many are better, by halves: of thousands of equal values each may come before the last. */
  #placeOf(found: T, value: number): number {
    const best = this.#best
    let [start, end] = [0, best.length]
    while (start < end) {
      const middle = (start + end) >> 1
      const other = best[middle]!
      const isBetter =
        other.value > value || (other.value === value && inPlace(other.found, found) < 0)
      if (isBetter) start = middle + 1
      else end = middle
    }
    return start
  }
}
