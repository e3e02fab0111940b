import type { Table } from '@lancedb/lancedb'
import { Mutex } from 'async-mutex'
import { ServiceError, StorageFull } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Turn } from './background.ts'
import type { Chore } from './chores.ts'
import { uncounted } from './coverage.ts'
import { unlessItPasses } from './damage.ts'
import { freeBytes } from './directory.ts'
import { DiskFailed, type Durability } from './durability.ts'
import { translated } from './faults.ts'
import { Maintenance } from './maintenance.ts'
import { TableHandles } from './table-handles.ts'
import type { Writers } from './upkeep.ts'

/** How long other servers on an object store may take to read the version they have. */
const otherReadersMilliseconds = 3_600_000
/** So much of the disk is kept free, at least. */
const keptFree = 64 * 1024 * 1024

/** Where tables are kept. */
export type Place = {
  /** The store's directory, where it is local. Others are shared with other servers. */
  directory: string | undefined
  /** Of the disk: once it failed to keep something, nothing more is written to any table. */
  failure: Error | undefined
}

/** What a table is made of; `durability` where what is written has to be put on the disk. */
export type TableParts = {
  table: Table
  open: () => Promise<Table>
  /** As in `Upkeep`. */
  elsewhere: (chore: Chore) => Promise<boolean>
  /** As in `Upkeep`. */
  inTurn: Turn
  /** Told how many bytes an index of words takes that was made. */
  indexed: (bytes: number) => void
  /** Told when it is given up. */
  closed: () => void
  durability: Durability | undefined
  place: Place
  log: Log
}

/** A table, with what keeps it whole and quick. */
export class OpenTable {
  readonly #handles: TableHandles
  readonly #open: () => Promise<Table>
  readonly #closed: () => void
  /** Held while a handle is used to write, or handles are changed. */
  readonly #changing = new Mutex()
  readonly #durability: Durability | undefined
  readonly #place: Place
  readonly #log: Log
  readonly #maintenance: Maintenance
  #version: number | undefined
  /** Whether a commit that failed may have made a version that `newest` has not seen. */
  #isBehind = false

  constructor({
    table,
    open,
    elsewhere,
    inTurn,
    indexed,
    closed,
    durability,
    place,
    log,
  }: TableParts) {
    this.#open = open
    this.#closed = closed
    this.#durability = durability
    this.#place = place
    this.#log = log
    const next = unlessItPasses(table.name)
    this.#maintenance = new Maintenance({
      open,
      elsewhere,
      inTurn,
      indexed,
      renewed: (began) => this.#renew(began),
      settled: () => this.#changing.runExclusive(async () => undefined),
      oldestRead: () => this.#oldestRead(),
      isWritable: () => place.failure === undefined,
      isFull: () => this.#isFull(),
      failed: (err) =>
        log.warn({ err, table: table.name, next }, 'a table could not be maintained'),
    })
    const lastCommit = () => this.#maintenance.lastCommit
    this.#handles = new TableHandles({ table, open, lastCommit })
  }

  /** Whether other processes may write to it too. */
  get isShared(): boolean {
    return this.#place.directory === undefined
  }

  /** How many bytes a search by vector may read. */
  get bytesToSearch(): number {
    return this.#maintenance.bytesToSearch
  }

  /** Whether a search by vector may find fewer than there are, for an index is asked. */
  get mayMiss(): boolean {
    return this.isShared || this.#maintenance.coverage.isIndexed
  }

  /**
   * Until when all rows written are in the index of vectors; undefined where there is none, or where
   * others write by their own clocks.
   */
  get indexedUntil(): string | undefined {
    return this.#maintenance.coverage.isIndexed ? this.wordsUntil : undefined
  }

  /** The same of the index of words. */
  get wordsUntil(): string | undefined {
    return this.isShared ? undefined : this.#maintenance.coverage.until
  }

  /** Whether there are rows written since. */
  get hasFresh(): boolean {
    return this.#maintenance.coverage.fresh > 0
  }

  /** How many rows the index of words may count that were deleted or replaced since, at the most. */
  get gone(): number {
    return this.isShared ? uncounted : this.#maintenance.coverage.gone
  }

  /** What is read stays in place until it has been. */
  async read<T>(query: (table: Table) => Promise<T>): Promise<T> {
    if (this.#isBehind) await this.#catchUp()
    return this.#named(this.#handles.read(query))
  }

  /**
   * Reads a version in which all is that was written until `indexedUntil`, and nothing that was
   * changed or deleted since. What was only added since may be missing: to go with every commit would
   * cost each query as much again, and who comes first after an index was made, the time to load it.
   */
  readIndexed<T>(query: (table: Table) => Promise<T>): Promise<T> {
    return this.#named(this.#handles.readIndexed(query))
  }

  /** What the log is to say of a read that failed. */
  async #named<T>(read: Promise<T>): Promise<T> {
    try {
      return await read
    } catch (cause) {
      if (cause instanceof ServiceError || !(cause instanceof Error)) throw cause
      const { name } = this.#handles.newest
      const next = unlessItPasses(name)
      throw new Error(`The table ${name} cannot be read. ${cause.message} ${next}`, { cause })
    }
  }

  /**
   * Makes commits, one caller at a time. They are seen from then on, and durable after `sync`.
   * @param rows how many it adds or changes
   * @param gone how many it takes away or replaces at the most; 0 where it does nothing but add rows
   * @param leavesFile whether there is a file more to read after it
   * @throws StorageFull; also where the disk has failed
   */
  commit<T>(
    rows: number,
    write: (table: Table) => Promise<T>,
    gone = uncounted,
    leavesFile = true,
  ): Promise<T> {
    return this.#changing.runExclusive(async () => {
      try {
        return await this.#commit(rows, write, gone, leavesFile)
      } finally {
        // Also what fails may be done.
        if (gone > 0) await this.#handles.advance()
      }
    })
  }

  async #commit<T>(
    rows: number,
    write: (table: Table) => Promise<T>,
    gone: number,
    leavesFile: boolean,
  ): Promise<T> {
    this.#checkWritable()
    if (this.#isBehind) await this.#catchUp()
    const began = Date.now()
    const { newest } = this.#handles
    this.#version ??= await newest.version()
    const result = await translated(write(newest)).catch(async (error: unknown) => {
      this.#maintenance.mayHaveCommitted(rows, gone)
      this.#isBehind = true
      // Where that fails too, who comes next tries it again.
      await this.#catchUp().catch(() => undefined)
      throw error
    })
    const version = await newest.version()
    if (version !== this.#version) this.#maintenance.committed(began, rows, gone, leavesFile)
    this.#version = version
    return result
  }

  /**
   * To be called before rows are added: what is left of the disk is for deletes and compaction,
   * which need room to make room.
   * @throws StorageFull
   */
  async checkRoom(): Promise<void> {
    if (!(await this.#isFull())) return
    this.#maintenance.makeRoom()
    throw new StorageFull()
  }

  /**
   * Settles when everything committed survives a power cut. Where the disk failed to keep something,
   * nobody can tell what it holds, and a second try would be told lies: nothing is written any more
   * until a new start has read what is there.
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

  /** Has it kept quick and small from now on, beside what these write to it. */
  async maintain(writers: Writers): Promise<void> {
    await this.read((table) => this.#maintenance.takeStock(table, writers))
    this.#maintenance.start(writers)
  }

  /** Opens it anew, so that it holds nothing of the connection it came from once its reads are over. */
  async reopen(): Promise<void> {
    if (this.#handles.isClosed) return
    if (this.#handles.hasIndexed) await this.#warm()
    await this.#changing.runExclusive(async () => {
      if (this.#handles.isClosed) return
      const table = await translated(this.#open())
      await this.#handles.replace(table)
    })
  }

  /** Leaves its files alone from now on; settles when nothing is being done to them, or soon. */
  stop(): Promise<void> {
    return this.#maintenance.stop()
  }

  /** Gives it up, for it is going away; settles when nothing is being done to its files. */
  async close(): Promise<void> {
    await this.#maintenance.stopWhole()
    await this.#changing.runExclusive(() => this.#handles.close())
    this.#closed()
  }

  async #renew(began?: number): Promise<void> {
    if (this.#handles.hasIndexed) await this.#warm()
    await this.#changing.runExclusive(async () => {
      await this.#handles.newest.checkoutLatest()
      await this.#handles.advance(began)
    })
    await this.sync()
  }

  /** Not by the handle that writes are made by, for they need not wait for this. */
  async #warm(): Promise<void> {
    // Where it cannot be opened, who searches will see what is wrong.
    const table = await this.#open().catch(() => undefined)
    if (!table) return
    await this.#maintenance.warm(table)
    table.close()
  }

  async #catchUp(): Promise<void> {
    await translated(this.#handles.newest.checkoutLatest())
    this.#isBehind = false
  }

  #checkWritable(): void {
    if (this.#place.failure) throw this.#place.failure
  }

  async #isFull(): Promise<boolean> {
    const { directory } = this.#place
    const needed = Math.max(keptFree, this.#maintenance.room)
    return directory !== undefined && (await freeBytes(directory)) < needed
  }

  /** When the oldest version that somebody reads was begun; `Infinity` where nobody does. */
  #oldestRead(): number {
    const others = this.isShared ? Date.now() - otherReadersMilliseconds : Infinity
    return Math.min(others, this.#handles.oldestRead)
  }
}
