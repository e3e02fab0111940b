/** Versions that are there to go back to, should the newest be torn. */
const versionsKept = 8

/** When the newest versions that hold a write were begun, in milliseconds since 1970. */
export class RecentCommits {
  #times: number[]

  /** @param found when those that are there were begun */
  constructor(found: Date[]) {
    const times = found.map((date) => date.getTime()).toSorted((a, b) => a - b)
    this.#times = times.slice(-versionsKept)
  }

  add(began: number): void {
    this.#times.push(began)
    if (this.#times.length > versionsKept) this.#times.shift()
  }

  /** When the newest was begun; 0 when none is known. */
  get newest(): number {
    return this.#times.at(-1) ?? 0
  }

  /** When the oldest that is to be kept was begun; 0 where all of them are. */
  get oldestKept(): number {
    return this.#times.at(-versionsKept) ?? 0
  }
}
