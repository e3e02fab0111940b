const maxKept = 8
const otherReadersMilliseconds = 3_600_000

/** The versions that are read, or are kept in case the newest is torn. Times are in ms since 1970. */
export class RetainedVersions {
  readonly #isShared: boolean
  #begun: number[] = []
  readonly #reads = new Set<{ version: number; ended: Promise<void> }>()

  constructor(isShared: boolean) {
    this.#isShared = isShared
  }

  /** 0 if no version is known. */
  get newest(): number {
    return this.#begun.at(-1) ?? 0
  }

  /** 0 if all are kept. */
  get oldestKept(): number {
    return this.#begun.at(-maxKept) ?? 0
  }

  /** `Infinity` if nobody reads. */
  get oldestRead(): number {
    const others = this.#isShared ? Date.now() - otherReadersMilliseconds : Infinity
    return Math.min(others, ...Array.from(this.#reads, ({ version }) => version))
  }

  /** Retains the newest version until the result is called. */
  beginRead(): () => void {
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const read = { version: this.newest, ended }
    this.#reads.add(read)
    return () => {
      this.#reads.delete(read)
      resolve()
    }
  }

  async readsEnded(): Promise<void> {
    await Promise.all(Array.from(this.#reads, ({ ended }) => ended))
  }

  committed(began: number): void {
    this.#begun.push(began)
    if (this.#begun.length > maxKept) this.#begun.shift()
  }

  /** Lists them only if none is known, because LanceDB reads a file for each. */
  async load(list: () => Promise<{ timestamp: Date }[]>): Promise<void> {
    if (this.#begun.length > 0) return
    const times = (await list()).map(({ timestamp }) => timestamp.getTime())
    this.#begun = times.toSorted((a, b) => a - b).slice(-maxKept)
  }
}
