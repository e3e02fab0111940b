import type { Table } from '@lancedb/lancedb'
import { LRUCache } from 'lru-cache'
import { translated } from '../lance/faults.ts'

/** One handle of LanceDB. What it has read into memory goes with it. */
export class TableHandle {
  readonly #table: Table
  #reads = 0
  #mayBeStale = false
  #isRetired = false
  readonly #closed = Promise.withResolvers<void>()

  constructor(table: Table) {
    this.#table = table
  }

  /** Reads or writes at the newest version, which it may have missed. */
  async use<T>(work: (table: Table) => Promise<T>): Promise<T> {
    this.#reads += 1
    try {
      if (this.#mayBeStale) await this.catchUp()
      return await translated(work(this.#table))
    } finally {
      this.#reads -= 1
      this.#closeUnused()
    }
  }

  version(): Promise<number> {
    return this.#table.version()
  }

  /** Moves to the newest version. After a failure the next use tries again. */
  async catchUp(): Promise<void> {
    this.#mayBeStale = false
    try {
      await translated(this.#table.checkoutLatest())
    } catch (error) {
      this.#mayBeStale = true
      throw error
    }
  }

  /** Closes the handle once nobody uses it, because LanceDB closes no handle that is read. */
  retire(): Promise<void> {
    this.#isRetired = true
    this.#closeUnused()
    return this.#closed.promise
  }

  #closeUnused(): void {
    if (!this.#isRetired || this.#reads > 0) return
    this.#table.close()
    this.#closed.resolve()
  }
}

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

  get oldestKept(): number {
    return this.#begun.at(-maxKept) ?? 0
  }

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

/** What LanceDB may hold of the indexes of one table, and of all together. */
export const maxIndexBytes = 768 * 1024 * 1024

/** The size of an index without rows, and about how much of its rows an index holds. */
const [bytesOfEmpty, shareOfRows] = [1024 * 1024, 1 / 2]

/** `dropIndexes` drops what was read of the indexes. The next search reads it again. */
type Indexed = { readonly bytes: number; dropIndexes(): Promise<void> }

/** Bounds what all tables hold of their indexes. Beyond that, those used longest ago let go. */
export class IndexMemory {
  readonly #tables: LRUCache<Indexed, true>

  constructor(maxSize = maxIndexBytes) {
    this.#tables = new LRUCache<Indexed, true>({
      maxSize,
      sizeCalculation: (_, { bytes }) =>
        Math.min(maxSize, Math.ceil(bytesOfEmpty + bytes * shareOfRows)),
      dispose: (_, table, reason) => {
        if (reason === 'evict') void table.dropIndexes().catch(() => undefined)
      },
    })
  }

  used(table: Indexed): void {
    if (this.#tables.get(table) === undefined) this.#tables.set(table, true)
  }

  /** Call when it has let go, or its size has changed. */
  forget(table: Indexed): void {
    this.#tables.delete(table)
  }
}
