export type Stamp = () => string

/** Strictly rising times for rows, so that a page never gets another row after it was read. */
export class StampClock {
  #last = 0

  readonly next: Stamp = () => {
    this.#last = Math.max(Date.now(), this.#last + 1)
    return new Date(this.#last).toISOString()
  }

  startAfter(stamp: string): void {
    this.#last = Math.max(this.#last, Date.parse(stamp))
  }
}
