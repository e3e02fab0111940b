import { LRUCache } from 'lru-cache'

/** Another process's change is seen after 5 s at the latest; a miss is trusted for 1 s. */
const hitMilliseconds = 5_000
const missMilliseconds = 1_000
const mostRemembered = 10_000

type Waiting<R> = Map<string, PromiseWithResolvers<R | undefined>>

/**
 * Remembers records for a few seconds. However many unknown ids are asked for at once, one look-up
 * runs at a time and takes all that wait along; what is not there never pushes out what is.
 */
export class RecordCache<R extends { id: string }> {
  readonly #hits = new LRUCache<string, R>({ max: mostRemembered, ttl: hitMilliseconds })
  readonly #misses = new LRUCache<string, true>({ max: mostRemembered, ttl: missMilliseconds })
  readonly #lookUp: (ids: string[]) => Promise<R[]>
  readonly #changed = new Set<string>()
  #waiting: Waiting<R> = new Map()
  #isLooking = false

  constructor(lookUp: (ids: string[]) => Promise<R[]>) {
    this.#lookUp = lookUp
  }

  /** The record, undefined when there is none. */
  async recall(id: string): Promise<R | undefined> {
    const known = this.#hits.get(id)
    if (known || this.#misses.has(id)) return known
    const waiting = this.#waiting.get(id) ?? Promise.withResolvers()
    this.#waiting.set(id, waiting)
    if (!this.#isLooking) void this.#lookAll()
    return waiting.promise
  }

  /** To be called with what a write left, or undefined where that is not known. */
  changed(id: string, record: R | undefined): void {
    this.#changed.add(id)
    this.#misses.delete(id)
    if (record) this.#hits.set(id, record)
    else this.#hits.delete(id)
  }

  async #lookAll(): Promise<void> {
    this.#isLooking = true
    while (this.#waiting.size > 0) {
      const asked = this.#waiting
      this.#waiting = new Map()
      this.#changed.clear()
      await this.#answer(asked)
    }
    this.#isLooking = false
  }

  async #answer(asked: Waiting<R>): Promise<void> {
    try {
      const found = await this.#lookUp([...asked.keys()])
      const byId = new Map(found.map((record) => [record.id, record]))
      for (const [id, { resolve }] of asked) {
        this.#remember(id, byId.get(id))
        resolve(byId.get(id))
      }
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    }
  }

  /** What was changed while it was looked up is answered as it was, and not remembered. */
  #remember(id: string, record: R | undefined): void {
    if (this.#changed.has(id)) return
    if (record) this.#hits.set(id, record)
    else this.#misses.set(id, true)
  }
}
