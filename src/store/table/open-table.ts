import type { Query, Table, TableStatistics } from '@lancedb/lancedb'
import type { Table as Rows } from 'apache-arrow'
import { Mutex } from 'async-mutex'
import { ServiceError } from '../../errors.ts'
import type { Log } from '../../process/log.ts'
import { unlessItPasses } from '../disk/damage.ts'
import { freeBytes } from '../disk/directory.ts'
import { DiskFailed, type Durability } from '../disk/durability.ts'
import { translated } from '../lance/faults.ts'
import { readRows } from '../lance/read-rows.ts'
import { loadIndexes } from '../indexes/fragment-indexes.ts'

/** Versions that are there to go back to, should the newest be torn. */
const keptVersions = 8
/** How long other servers on an object store may go on reading an old version. */
const otherReadersMilliseconds = 3_600_000
const minFree = 64 * 1024 * 1024
/** A compaction writes all rows once more, and the index of words twice. */
const copiesOfCompaction = 3

export type Place = {
  /** The store's directory, where it is local. Others are shared with other servers. */
  directory: string | undefined
  /** What the disk failed with: nothing more is written to any table then. */
  failure: Error | undefined
}

export type TableParts = {
  table: Table
  open: () => Promise<Table>
  /** Absent where nothing has to be synced. */
  durability: Durability | undefined
  place: Place
  log: Log
}

/** An open table. A read sees everything written before, and its version stays in place until it ends. */
export class OpenTable {
  /** LanceDB's own getter of it throws while the handle is used. */
  readonly name: string
  readonly #table: Table
  /** Gives another handle of it, which its user closes. */
  readonly open: () => Promise<Table>
  readonly #durability: Durability | undefined
  readonly #place: Place
  readonly #log: Log
  readonly #changing = new Mutex()
  /** When the version that each running read sees was begun, in ms since 1970. */
  readonly #reads = new Set<{ since: number }>()
  /** When the newest commits were begun, in ms since 1970, the newest last. */
  #commits: number[] = []
  #version: number | undefined
  /** Whether there may be a version that the handle has not seen. */
  #isStale = false
  #state: 'open' | 'closing' | 'closed' = 'open'
  #rows = 0
  #bytesARow = 0
  #changedRows = 0

  constructor({ table, open, durability, place, log }: TableParts) {
    this.name = table.name
    this.#table = table
    this.open = () => translated(open())
    this.#durability = durability
    this.#place = place
    this.#log = log
  }

  get isShared(): boolean {
    return this.#place.directory === undefined
  }

  get isWritable(): boolean {
    return this.#place.failure === undefined
  }

  get rows(): number {
    return this.#rows
  }

  get bytes(): number {
    return this.#rows * this.#bytesARow
  }

  /** How many rows this process has written or deleted. */
  get changedRows(): number {
    return this.#changedRows
  }

  /** When the newest version was begun, in ms since 1970; 0 where none is known. */
  get lastCommit(): number {
    return this.#commits.at(-1) ?? 0
  }

  /** When the oldest version that is to be kept was begun; 0 where all of them are. */
  get keptSince(): number {
    return this.#commits.at(-keptVersions) ?? 0
  }

  /** When the oldest version that somebody reads was begun; `Infinity` where nobody does. */
  get oldestRead(): number {
    const others = this.isShared ? Date.now() - otherReadersMilliseconds : Infinity
    return Math.min(others, ...Array.from(this.#reads, ({ since }) => since))
  }

  async read<T>(query: (table: Table) => Promise<T>): Promise<T> {
    const reading = { since: this.lastCommit }
    this.#reads.add(reading)
    try {
      if (this.#isStale) await this.#catchUp()
      return await translated(query(this.#table))
    } catch (cause) {
      throw this.#named(cause)
    } finally {
      this.#reads.delete(reading)
      this.#closeUnused()
    }
  }

  async readAll<Row>(build: (query: Query) => { toArrow(): Promise<Rows> }): Promise<Row[]> {
    return readRows<Row>(await this.read((table) => build(table.query()).toArrow()))
  }

  /**
   * Makes a commit, one caller at a time. It is seen from then on, and durable after `sync`.
   * @param written how many rows it adds or changes
   * @param gone how many rows it changes or deletes
   * @throws StorageFull; also where the disk has failed
   */
  commit<T>(written: number, write: (table: Table) => Promise<T>, gone = 0): Promise<T> {
    return this.#changing.runExclusive(async () => {
      this.#checkWritable()
      if (this.#isStale) await this.#catchUp()
      const began = Date.now()
      this.#version ??= await this.#table.version()
      // A commit that fails may be done all the same.
      this.#changedRows += written + gone
      this.#rows = Math.max(0, this.#rows + written - gone)
      const result = await translated(write(this.#table)).catch(async (error: unknown) => {
        this.#isStale = true
        // If this fails too, the next read or write tries it again.
        await this.#catchUp().catch(() => undefined)
        throw error
      })
      const version = await this.#table.version()
      if (version !== this.#version) this.#keepVersion(began)
      this.#version = version
      return result
    })
  }

  /** Whether rows may be added: some of the disk is left for what makes room. */
  async hasRoom(): Promise<boolean> {
    const { directory } = this.#place
    const needed = Math.max(minFree, copiesOfCompaction * this.bytes)
    return directory === undefined || (await freeBytes(directory)) >= needed
  }

  /**
   * Settles when everything committed survives a power cut. A disk that failed once may report success
   * the next time without having kept anything, so nothing more is written until a new start.
   */
  async sync(): Promise<void> {
    this.#checkWritable()
    try {
      await this.#durability?.sync()
    } catch (error) {
      if (error instanceof DiskFailed) {
        this.#place.failure = error
        this.#log.error({ err: error }, 'the store is closed for writes: its disk failed')
      }
      throw error
    }
  }

  /** Reads how large the table is, and when its newest versions were begun. */
  async weigh(): Promise<TableStatistics> {
    const [stats, versions] = await this.read((table) =>
      // Where an older version cannot be read, the newest can.
      Promise.all([table.stats(), table.listVersions().catch(() => [])]),
    )
    this.#rows = stats.numRows
    this.#bytesARow = stats.totalBytes / Math.max(1, stats.numRows)
    if (this.#commits.length === 0) {
      const times = versions.map(({ timestamp }) => timestamp.getTime())
      this.#commits = times.toSorted((a, b) => a - b).slice(-keptVersions)
    }
    return stats
  }

  /** Moves to the newest version, which another handle or process made; it is durable then. */
  async refresh(): Promise<void> {
    await this.#loadIndexes()
    this.#isStale = true
    await this.#changing.runExclusive(() => this.#catchUp())
    await this.sync()
  }

  async close(): Promise<void> {
    await this.#changing.runExclusive(async () => undefined)
    this.#state = 'closing'
    this.#closeUnused()
  }

  /** Uses another handle, so that no search and no write waits for that. */
  async #loadIndexes(): Promise<void> {
    // If this fails, the next search tells what is wrong.
    const table = await this.open().catch(() => undefined)
    if (table) await loadIndexes(table).catch(() => undefined)
    table?.close()
  }

  #keepVersion(began: number): void {
    this.#commits.push(began)
    if (this.#commits.length > keptVersions) this.#commits.shift()
  }

  /** LanceDB refuses to close a handle that is read. */
  #closeUnused(): void {
    if (this.#state === 'closing' && this.#reads.size === 0) {
      this.#state = 'closed'
      this.#table.close()
    }
  }

  async #catchUp(): Promise<void> {
    this.#isStale = false
    try {
      await translated(this.#table.checkoutLatest())
    } catch (error) {
      this.#isStale = true
      throw error
    }
  }

  #checkWritable(): void {
    if (this.#place.failure) throw this.#place.failure
  }

  /** Adds to a failed read what its log line is to say. */
  #named(cause: unknown): unknown {
    if (cause instanceof ServiceError || !(cause instanceof Error)) return cause
    const next = unlessItPasses(this.name)
    return new Error(`The table ${this.name} cannot be read. ${cause.message} ${next}`, { cause })
  }
}
