import type { Query, Table, TableStatistics } from '@lancedb/lancedb'
import type { Table as Rows } from 'apache-arrow'
import { Mutex } from 'async-mutex'
import { unreadable } from '../disk/damage.ts'
import type { FolderSync } from '../disk/folder-sync.ts'
import type { Leftovers } from '../disk/leftovers.ts'
import type { Volume } from '../disk/volume.ts'
import { loadIndexes } from '../lance/fragment-indexes.ts'
import { translated } from '../lance/faults.ts'
import { readManyRows } from '../lance/read-rows.ts'
import { type IndexMemory, RetainedVersions, TableHandle } from './table-handle.ts'

type TableParts = {
  table: Table
  open: () => Promise<Table>
  folderSync: FolderSync | undefined
  leftovers?: Leftovers | undefined
  volume: Volume
  indexMemory: IndexMemory
  /** Whether a read may miss what other servers wrote a moment ago. */
  mayMissOthers?: boolean
}

/** A read sees all earlier writes, except those of other servers if `mayMissOthers`. Its version stays until it ends. */
export class OpenTable {
  readonly name: string
  readonly versions: RetainedVersions
  readonly open: () => Promise<Table>
  readonly leftovers: Leftovers | undefined
  readonly volume: Volume
  readonly mayMissOthers: boolean
  /** Whether another server committed since. */
  othersWrite = false
  readonly #folderSync: FolderSync | undefined
  readonly #indexMemory: IndexMemory
  readonly #changing = new Mutex()
  #handle: TableHandle
  #version: number | undefined
  #isClosed = false
  /** Every reader is at this version or later, once nobody uses the handle from before. */
  #oldest: { version: number; alone: Promise<void> } | undefined
  #rows = 0
  #changedRows = 0
  #bytesPerRow = 0

  constructor({ table, open, folderSync, leftovers, volume, ...parts }: TableParts) {
    this.name = table.name
    this.versions = new RetainedVersions(volume.isShared)
    this.open = () => translated(open())
    this.#handle = new TableHandle(table)
    this.leftovers = leftovers
    this.#folderSync = folderSync
    this.volume = volume
    this.#indexMemory = parts.indexMemory
    this.mayMissOthers = parts.mayMissOthers ?? false
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
    if (!this.#isClosed) this.#indexMemory.used(this)
    try {
      return await this.#handle.use(query)
    } catch (cause) {
      throw unreadable(this.name, cause)
    } finally {
      endRead()
    }
  }

  async readAll<Row>(build: (query: Query) => { toArrow(): Promise<Rows> }): Promise<Row[]> {
    return readManyRows<Row>(await this.read((table) => build(table.query()).toArrow()))
  }

  /** Lets the next reads miss nothing, before a write that depends on them. */
  async catchUp(): Promise<void> {
    if (this.mayMissOthers) await this.read((table) => table.checkoutLatest())
  }

  /** Commits, one at a time; durable after `sync`. `gone` counts deleted rows. @throws StorageFull, Unavailable */
  commit<T>(written: number, write: (table: Table) => Promise<T>, gone = 0): Promise<T> {
    return this.#changing.runExclusive(async () => {
      this.volume.checkSound()
      const began = Date.now()
      this.#version ??= await this.#handle.version()
      this.#rows = Math.max(0, this.#rows + written - gone)
      // Rows that are counted meanwhile are those from before.
      const use = this.#handle.use(write).finally(() => (this.#changedRows += written + gone))
      const result = await use.catch(async (error: unknown) => {
        // It may be done anyway. If this look fails, the next read or write looks again.
        await this.#handle.catchUp().catch(() => undefined)
        throw error
      })
      const version = await this.#handle.version()
      if (version !== this.#version) this.versions.committed(began)
      this.othersWrite = this.volume.isShared && version > this.#version + 1
      this.#version = version
      return result
    })
  }

  /** Settles when everything committed survives a power cut. @throws DiskFailed */
  sync(): Promise<void> {
    return this.volume.sync(this.#folderSync)
  }

  /** Makes all rows durable. @returns when the newest version was made, in ms since 1970 */
  async settle(): Promise<number> {
    const made = await this.#changing.runExclusive(async () => {
      const versions = await this.#handle.use((table) => table.listVersions())
      const newest = Math.max(...versions.map(({ timestamp }) => timestamp.getTime()))
      this.versions.committed(newest)
      return newest
    })
    await this.sync()
    return made
  }

  async reloadStats(): Promise<TableStatistics> {
    const stats = await this.read((table) => table.stats())
    this.#rows = stats.numRows
    this.#bytesPerRow = stats.totalBytes / Math.max(1, stats.numRows)
    // Old versions may be unreadable.
    await this.versions.load(() => this.read((table) => table.listVersions()).catch(() => []))
    return stats
  }

  /** Moves to the newest version, of another handle or process, and makes it durable. */
  async refresh(): Promise<void> {
    await this.#renew(loadIndexes)
    await this.sync()
  }

  /** Drops what was read of the indexes, until the next search. */
  dropIndexes(): Promise<void> {
    return this.#renew(async () => undefined)
  }

  /** Removes leftovers of an aborted job. Nothing is written meanwhile. @returns as `Leftovers.remove` */
  removeLeftovers(signal: AbortSignal): Promise<boolean> {
    return this.#changing.runExclusive(async () => (await this.leftovers?.remove(signal)) ?? true)
  }

  /** Removes files that a compaction replaced. Call after `refresh`. One more version stays. */
  async removeReplaced(signal: AbortSignal): Promise<void> {
    const oldest = this.#oldest
    if (!oldest) return
    await oldest.alone
    const before = oldest.version - 1
    await this.#changing.runExclusive(() => this.leftovers?.removeBefore(before, signal))
  }

  async close(): Promise<void> {
    await this.#changing.runExclusive(() => {
      this.#isClosed = true
      this.#indexMemory.forget(this)
      void this.#handle.retire()
    })
  }

  /** Goes on with a handle that has read no deleted files. After a failed `prepare` the next search says why. */
  async #renew(prepare: (table: Table) => Promise<void>): Promise<void> {
    const table = await this.open().catch(() => undefined)
    if (table) await prepare(table).catch(() => undefined)
    await this.#changing.runExclusive(() => this.#moveTo(table && new TableHandle(table)))
  }

  async #moveTo(fresh: TableHandle | undefined): Promise<void> {
    const old = this.#handle
    if (!fresh) return old.catchUp()
    try {
      if (this.#isClosed) return void fresh.retire()
      await fresh.catchUp()
    } catch (error) {
      void fresh.retire()
      await old.catchUp()
      throw error
    }
    this.#handle = fresh
    this.#indexMemory.forget(this)
    this.#oldest = { version: await fresh.version(), alone: old.retire() }
  }
}
