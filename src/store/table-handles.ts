import type { Table } from '@lancedb/lancedb'
import { translated } from './faults.ts'

/** A handle that stays at a version, and when that was begun at the latest, in milliseconds. */
type Indexed = { table: Promise<Table>; since: number }

/** What the handles of a table are made with. */
export type HandlesParts = {
  table: Table
  /** Gives another handle of it. */
  open: () => Promise<Table>
  /** When the newest version was begun, in milliseconds. */
  lastCommit: () => number
}

/** The handles by which a table is read; one is closed once nobody reads by it. */
export class TableHandles {
  #newest: Table
  /** What searches by indexes read, once there was one; see `readIndexed`. */
  #indexed: Indexed | undefined
  readonly #open: () => Promise<Table>
  readonly #lastCommit: () => number
  #isClosed = false
  /** Each running read, and when the version it reads was begun, in milliseconds. */
  readonly #reads = new Set<{ table: Table; since: number }>()
  /** Handles that are only there for reads that began before. */
  readonly #retired = new Set<Table>()

  constructor({ table, open, lastCommit }: HandlesParts) {
    this.#newest = table
    this.#open = open
    this.#lastCommit = lastCommit
  }

  /** That which writes are made by, and which sees each of them. */
  get newest(): Table {
    return this.#newest
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Whether searches by indexes have a handle of their own. */
  get hasIndexed(): boolean {
    return this.#indexed !== undefined
  }

  /** When the oldest version that somebody reads was begun; `Infinity` where nobody does. */
  get oldestRead(): number {
    const reads = Array.from(this.#reads, ({ since }) => since)
    return Math.min(this.#indexed?.since ?? Infinity, ...reads)
  }

  /** Reads the newest version. */
  read<T>(query: (table: Table) => Promise<T>): Promise<T> {
    return this.#read(this.#newest, this.#lastCommit(), query)
  }

  /** Reads the version that searches by indexes read: the newest when `advance` was last called. */
  async readIndexed<T>(query: (table: Table) => Promise<T>): Promise<T> {
    if (this.#isClosed) return this.read(query)
    const indexed = (this.#indexed ??= this.#openIndexed())
    return this.#read(await indexed.table, indexed.since, query)
  }

  /**
   * Has searches by indexes read the newest version.
   * @param began when that was begun at the earliest
   */
  async advance(began = this.#lastCommit()): Promise<void> {
    const indexed = this.#indexed
    if (!indexed) return
    try {
      await (await indexed.table).checkoutLatest()
      indexed.since = began
    } catch {
      await this.#leaveIndexed()
    }
  }

  /** Has another handle take the place of all there are. */
  async replace(table: Table): Promise<void> {
    this.#retire(this.#newest)
    this.#newest = table
    await this.#leaveIndexed()
  }

  /** Closes each once nobody reads by it any more, for LanceDB refuses while somebody does. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#retire(this.#newest)
    await this.#leaveIndexed()
  }

  async #read<T>(table: Table, since: number, query: (table: Table) => Promise<T>): Promise<T> {
    const reading = { table, since }
    this.#reads.add(reading)
    try {
      return await translated(query(table))
    } finally {
      this.#reads.delete(reading)
      this.#closeUnused(table)
    }
  }

  #openIndexed(): Indexed {
    const indexed = { table: translated(this.#open()), since: this.#lastCommit() }
    indexed.table.catch(() => this.#leaveIndexed())
    return indexed
  }

  /** Has the next search by indexes open its handle anew. */
  async #leaveIndexed(): Promise<void> {
    const indexed = this.#indexed
    this.#indexed = undefined
    const table = await indexed?.table.catch(() => undefined)
    if (table) this.#retire(table)
  }

  #retire(table: Table): void {
    this.#retired.add(table)
    this.#closeUnused(table)
  }

  #closeUnused(table: Table): void {
    const isUsed = this.#reads.values().some((reading) => reading.table === table)
    if (!this.#retired.has(table) || isUsed) return
    this.#retired.delete(table)
    table.close()
  }
}
