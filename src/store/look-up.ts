type Waiting<Found> = Map<string, PromiseWithResolvers<Found | undefined>>

/**
 * Finds things by key. However many are asked for at once, one look-up runs at a time and takes all
 * that wait along.
 */
export class LookUp<Found> {
  readonly #findAll: (keys: string[]) => Promise<ReadonlyMap<string, Found>>
  #waiting: Waiting<Found> = new Map()
  #isLooking = false

  constructor(findAll: (keys: string[]) => Promise<ReadonlyMap<string, Found>>) {
    this.#findAll = findAll
  }

  /** What there is under the key as of now or later, undefined when there is nothing. */
  find(key: string): Promise<Found | undefined> {
    const waiting = this.#waiting.get(key) ?? Promise.withResolvers()
    this.#waiting.set(key, waiting)
    if (!this.#isLooking) void this.#lookAll()
    return waiting.promise
  }

  async #lookAll(): Promise<void> {
    this.#isLooking = true
    while (this.#waiting.size > 0) {
      const asked = this.#waiting
      this.#waiting = new Map()
      await this.#answer(asked)
    }
    this.#isLooking = false
  }

  async #answer(asked: Waiting<Found>): Promise<void> {
    try {
      const found = await this.#findAll([...asked.keys()])
      for (const [key, { resolve }] of asked) resolve(found.get(key))
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    }
  }
}
