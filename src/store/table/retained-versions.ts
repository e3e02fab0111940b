/** To go back to, should the newest be torn. */
const maxKept = 8
/** How long other servers may go on reading an old version. */
const otherReadersMilliseconds = 3_600_000

/** The versions of a table that are still needed, by when each was begun, in ms since 1970. */
export class RetainedVersions {
  readonly #isShared: boolean
  /** The newest last. */
  #begun: number[] = []
  readonly #reads = new Set<{ version: number }>()

  constructor(isShared: boolean) {
    this.#isShared = isShared
  }

  /** 0 where no version is known. */
  get newest(): number {
    return this.#begun.at(-1) ?? 0
  }

  /** 0 where all are kept. */
  get oldestKept(): number {
    return this.#begun.at(-maxKept) ?? 0
  }

  /** `Infinity` where nobody reads. */
  get oldestRead(): number {
    const others = this.#isShared ? Date.now() - otherReadersMilliseconds : Infinity
    return Math.min(others, ...Array.from(this.#reads, ({ version }) => version))
  }

  get isRead(): boolean {
    return this.#reads.size > 0
  }

  /** Keeps the newest version until the result is called. */
  beginRead(): () => void {
    const read = { version: this.newest }
    this.#reads.add(read)
    return () => void this.#reads.delete(read)
  }

  committed(began: number): void {
    this.#begun.push(began)
    if (this.#begun.length > maxKept) this.#begun.shift()
  }

  load(versions: { timestamp: Date }[]): void {
    if (this.#begun.length > 0) return
    const times = versions.map(({ timestamp }) => timestamp.getTime())
    this.#begun = times.toSorted((a, b) => a - b).slice(-maxKept)
  }
}
