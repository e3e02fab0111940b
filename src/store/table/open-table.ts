import type { Query, Table, TableStatistics } from '@lancedb/lancedb'
import type { Table as Rows } from 'apache-arrow'
import { Mutex } from 'async-mutex'
import { ServiceError } from '../../errors.ts'
import { unlessItPasses } from '../disk/damage.ts'
import type { FolderSync } from '../disk/folder-sync.ts'
import type { Volume } from '../disk/volume.ts'
import { loadIndexes } from '../indexes/fragment-indexes.ts'
import { translated } from '../lance/faults.ts'
import { readRows } from '../lance/read-rows.ts'
import { RetainedVersions } from './retained-versions.ts'

const minFreeToAdd = 64 * 1024 * 1024
/** All rows once more, and the index of words twice. */
const copiesOfCompaction = 3

export type TableParts = {
  table: Table
  open: () => Promise<Table>
  folderSync: FolderSync | undefined
  volume: Volume
}

/** A read sees all that was written before it, and its version stays until it ends. */
export class OpenTable {
  /** LanceDB's own getter throws while the handle is used. */
  readonly name: string
  readonly versions: RetainedVersions
  /** Opens another handle, for the caller to close. */
  readonly open: () => Promise<Table>
  readonly #table: Table
  readonly #folderSync: FolderSync | undefined
  readonly #volume: Volume
  readonly #changing = new Mutex()
  #version: number | undefined
  #mayBeStale = false
  #state: 'open' | 'closing' | 'closed' = 'open'
  #rows = 0
  #bytesPerRow = 0
  #changedRows = 0

  constructor({ table, open, folderSync, volume }: TableParts) {
    this.name = table.name
    this.versions = new RetainedVersions(volume.isShared)
    this.open = () => translated(open())
    this.#table = table
    this.#folderSync = folderSync
    this.#volume = volume
  }

  get isShared(): boolean {
    return this.#volume.isShared
  }

  get isWritable(): boolean {
    return this.#volume.isSound
  }

  get rows(): number {
    return this.#rows
  }

  get bytes(): number {
    return this.#rows * this.#bytesPerRow
  }

  get changedRows(): number {
    return this.#changedRows
  }

  async read<T>(query: (table: Table) => Promise<T>): Promise<T> {
    const endRead = this.versions.beginRead()
    try {
      if (this.#mayBeStale) await this.#catchUp()
      return await translated(query(this.#table))
    } catch (cause) {
      throw this.#named(cause)
    } finally {
      endRead()
      this.#closeUnused()
    }
  }

  async readAll<Row>(build: (query: Query) => { toArrow(): Promise<Rows> }): Promise<Row[]> {
    return readRows<Row>(await this.read((table) => build(table.query()).toArrow()))
  }

  /**
   * Commits, one at a time; durable after `sync`. @throws StorageFull, Unavailable
   * @param gone how many rows it deletes or writes over
   */
  commit<T>(written: number, write: (table: Table) => Promise<T>, gone = 0): Promise<T> {
    return this.#changing.runExclusive(async () => {
      this.#volume.checkSound()
      if (this.#mayBeStale) await this.#catchUp()
      const began = Date.now()
      this.#version ??= await this.#table.version()
      this.#changedRows += written + gone
      this.#rows = Math.max(0, this.#rows + written - gone)
      const result = await translated(write(this.#table)).catch(async (error: unknown) => {
        // It may be done all the same. If this look fails, the next read or write looks again.
        await this.#catchUp().catch(() => undefined)
        throw error
      })
      const version = await this.#table.version()
      if (version !== this.#version) this.versions.committed(began)
      this.#version = version
      return result
    })
  }

  /** As `commit`, for what makes room or closes a door: on a full disk it takes from the reserve. */
  commitSmall<T>(written: number, write: (table: Table) => Promise<T>, gone = 0): Promise<T> {
    return this.#volume.withReserve(() => this.commit(written, write, gone))
  }

  /** @throws Unavailable, StorageFull as `Volume.checkWritable` */
  checkWritable(): Promise<void> {
    return this.#volume.checkWritable()
  }

  /** Whether rows may be added and still leave room for a compaction. */
  hasRoom(): Promise<boolean> {
    return this.#volume.hasRoom(Math.max(minFreeToAdd, copiesOfCompaction * this.bytes))
  }

  /** Settles when everything committed survives a power cut. @throws DiskFailed */
  sync(): Promise<void> {
    return this.#volume.sync(this.#folderSync)
  }

  /** Makes all durable. @returns when the newest version was made, in ms since 1970 */
  async settle(): Promise<number> {
    const made = await this.#changing.runExclusive(async () => {
      const versions = await translated(this.#table.listVersions())
      const newest = Math.max(...versions.map(({ timestamp }) => timestamp.getTime()))
      this.versions.committed(newest)
      return newest
    })
    await this.sync()
    return made
  }

  async weigh(): Promise<TableStatistics> {
    // Old versions may be unreadable.
    const [stats, versions] = await this.read((table) =>
      Promise.all([table.stats(), table.listVersions().catch(() => [])]),
    )
    this.#rows = stats.numRows
    this.#bytesPerRow = stats.totalBytes / Math.max(1, stats.numRows)
    this.versions.load(versions)
    return stats
  }

  /** Moves to the newest version, of another handle or process, and makes it durable. */
  async refresh(): Promise<void> {
    await this.#loadIndexes()
    this.#mayBeStale = true
    await this.#changing.runExclusive(() => this.#catchUp())
    await this.sync()
  }

  async close(): Promise<void> {
    await this.#changing.waitForUnlock()
    this.#state = 'closing'
    this.#closeUnused()
  }

  /** By another handle, so that nobody waits. After a failure the next search says what is wrong. */
  async #loadIndexes(): Promise<void> {
    const table = await this.open().catch(() => undefined)
    if (table) await loadIndexes(table).catch(() => undefined)
    table?.close()
  }

  /** LanceDB closes no handle that is read. */
  #closeUnused(): void {
    if (this.#state === 'closing' && !this.versions.isRead) {
      this.#state = 'closed'
      this.#table.close()
    }
  }

  async #catchUp(): Promise<void> {
    this.#mayBeStale = false
    try {
      await translated(this.#table.checkoutLatest())
    } catch (error) {
      this.#mayBeStale = true
      throw error
    }
  }

  /** Says in the log which table could not be read, and what to do. */
  #named(cause: unknown): unknown {
    if (cause instanceof ServiceError || !(cause instanceof Error)) return cause
    const next = unlessItPasses(this.name)
    return new Error(`The table ${this.name} cannot be read. ${cause.message} ${next}`, { cause })
  }
}
