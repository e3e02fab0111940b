import { LRUCache } from 'lru-cache'
import { LookUp } from './look-up.ts'

/** Another process's change is seen after 5 s at the latest; a miss is trusted for 1 s. */
const hitMilliseconds = 5_000
const missMilliseconds = 1_000
const mostRemembered = 10_000

/** Remembers records for a few seconds; what is not there never pushes out what is. */
export class RecordCache<R extends { id: string }> {
  readonly #hits = new LRUCache<string, R>({ max: mostRemembered, ttl: hitMilliseconds })
  readonly #misses = new LRUCache<string, true>({ max: mostRemembered, ttl: missMilliseconds })
  readonly #lookUp: LookUp<R>
  /** Since the running look-up began. */
  readonly #changed = new Set<string>()

  constructor(read: (ids: string[]) => Promise<R[]>) {
    this.#lookUp = new LookUp(async (ids) => {
      this.#changed.clear()
      const found = new Map((await read(ids)).map((record) => [record.id, record]))
      for (const id of ids) this.#remember(id, found.get(id))
      return found
    })
  }

  /** The record, undefined when there is none. */
  async recall(id: string): Promise<R | undefined> {
    const known = this.#hits.get(id)
    return known || this.#misses.has(id) ? known : this.#lookUp.find(id)
  }

  /** To be called with what a write left, or undefined where that is not known. */
  changed(id: string, record: R | undefined): void {
    this.#changed.add(id)
    this.#misses.delete(id)
    if (record) this.#hits.set(id, record)
    else this.#hits.delete(id)
  }

  /** What was changed while it was looked up is answered as it was, and not remembered. */
  #remember(id: string, record: R | undefined): void {
    if (this.#changed.has(id)) return
    if (record) this.#hits.set(id, record)
    else this.#misses.set(id, true)
  }
}
