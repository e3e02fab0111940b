export type Stamp = () => string

/** Strictly rising times for rows, so that a page that was read never gets another row. */
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
