import type { Table } from '@lancedb/lancedb'
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
