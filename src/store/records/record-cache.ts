import { LRUCache } from 'lru-cache'
import { and, equal, type Filter, holds, oneOf, or } from '../lance/filter.ts'

/** How late another server's change may be seen. */
const maxAgeOfSharedMilliseconds = 5_000
const max = 10_000

type Waiting<R> = Map<string, PromiseWithResolvers<R | undefined>>

/** Remembers records by name, but no misses: a remembered miss would be answered faster than a new one. */
export class RecordCache<R extends object> {
  readonly #hits: LRUCache<string, R>
  readonly #lookUp: (names: string[]) => Promise<R[]>
  readonly #namesOf: (record: R) => string[]
  readonly #changed = new Set<string>()
  #waiting: Waiting<R> = new Map()
  #isLooking = false

  /** @param namesOf every name of a record; `isShared` says whether other servers write them too */
  constructor(
    lookUp: (names: string[]) => Promise<R[]>,
    namesOf: (record: R) => string[],
    isShared: boolean,
  ) {
    this.#hits = new LRUCache({ max, ttl: isShared ? maxAgeOfSharedMilliseconds : 0 })
    this.#lookUp = lookUp
    this.#namesOf = namesOf
  }

  async recall(name: string): Promise<R | undefined> {
    const known = this.#hits.get(name)
    if (known) return known
    const waiting = this.#waiting.get(name) ?? Promise.withResolvers()
    this.#waiting.set(name, waiting)
    if (!this.#isLooking) void this.#lookAll()
    return waiting.promise
  }

  /** Call after a write. `record` is undefined if the outcome is not known. */
  changed(name: string, record: R | undefined): void {
    this.#changed.add(name)
    if (record) this.#hits.set(name, record)
    else this.#hits.delete(name)
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
      const byName = new Map(
        found.flatMap((record) => this.#namesOf(record).map((name) => [name, record] as const)),
      )
      for (const [name, { resolve }] of asked) {
        const record = byName.get(name)
        // A record that changed meanwhile is answered, but not remembered.
        if (record && !this.#changed.has(name)) this.#hits.set(name, record)
        resolve(record)
      }
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    }
  }
}

/** An id in one workspace; no workspace is empty or has a slash. */
export const nameOf = (id: string, workspace: string): string => `${workspace}/${id}`

/** An id in any workspace, whose value holds a text without a slash. */
export const nameHolding = (id: string, text: string): string => `/${text}/${id}`

/** Filters in LanceDB, so that a record of another workspace is refused as fast as a missing one. */
export function byNames(names: string[]): Filter {
  const byScope = Map.groupBy(names, (name) => name.slice(0, name.indexOf('/', 1)))
  const filters = Array.from(byScope, ([scope, some]) => {
    const ids = oneOf(
      'id',
      some.map((name) => name.slice(scope.length + 1)),
    )
    const isIn = scope.startsWith('/') ? holds('value', scope.slice(1)) : equal('workspace', scope)
    return and(ids, isIn)
  })
  return or(...filters)
}
