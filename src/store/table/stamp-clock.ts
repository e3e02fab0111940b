export type Stamp = () => string

/** Gives rows their times, strictly rising: so a page of a list by time never changes once it was read. */
export class StampClock {
  #last = 0

  readonly next: Stamp = () => {
    this.#last = Math.max(Date.now(), this.#last + 1)
    return new Date(this.#last).toISOString()
  }

  /** To be called with the newest time that an earlier life gave. */
  startAfter(stamp: string): void {
    this.#last = Math.max(this.#last, Date.parse(stamp))
  }
}
