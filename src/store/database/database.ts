import type { Connection, Table } from '@lancedb/lancedb'
import type { Schema } from 'apache-arrow'
import { isAbsolute } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../config/config.ts'
import { StartupError } from '../../errors/errors.ts'
import type { Log } from '../../process/log.ts'
import { checkConditionalWrites, isOfCheck, openAddress, openConnection } from './connection.ts'
import { ownDirectory } from '../disk/directory.ts'
import { removeAllLeftovers } from '../disk/leftovers.ts'
import { newestVersions } from '../disk/table-versions.ts'
import { VersionNotes } from '../disk/version-notes.ts'
import { Volume } from '../disk/volume.ts'
import { translated } from '../lance/faults.ts'
import { type Reads, tableNames, TableOpener } from './table-opener.ts'
import type { OpenTable } from '../table/open-table.ts'
import type { Holdable } from '../table/compaction.ts'
import type { IndexKeeper } from '../table/index-keeper.ts'
import { Jobs } from '../table/jobs.ts'
import { scratchOf, removeScratch, renewScratch } from '../../process/scratch.ts'
import { lowerThreads } from '../table/thread-priority.ts'
import { type Alone, Upkeep } from '../table/upkeep.ts'

const openAttempts = 40
const openPauseMilliseconds = 25

type StoreConfig = Pick<Config, 'dataUri' | 'durability'> &
  Partial<Pick<Config, 'allowUnsafeStore' | 'readFreshness'>>

type OwnedDirectory = { release: () => void; notes: VersionNotes }

/** An open store. A local directory is written to by this process and its jobs alone. */
export class Database {
  readonly jobs: Jobs
  readonly #connection: Connection
  readonly volume: Volume
  /** Undefined for an object store, which servers share. */
  readonly directory: string | undefined
  readonly exclusive: boolean
  readonly #owned: OwnedDirectory | undefined
  readonly #opener: TableOpener
  readonly #log: Log
  #alone: Alone = () => Promise.resolve(false)

  private constructor(
    connection: Connection,
    owned: OwnedDirectory | undefined,
    { dataUri: uri, durability, readFreshness: freshness = 0 }: StoreConfig,
    log: Log,
  ) {
    this.directory = owned && uri
    this.exclusive = owned !== undefined
    const volume = new Volume(this.directory, log)
    const syncs = this.exclusive && durability === 'fsync'
    this.jobs = new Jobs(uri)
    this.#connection = connection
    this.volume = volume
    this.#owned = owned
    const notes = owned?.notes
    this.#opener = new TableOpener({ uri, freshness, connection, volume, syncs, notes, log })
    this.#log = log
    lowerThreads()
  }

  /** Makes a missing directory. @throws StartupError when it cannot be used, or another process owns it */
  static async open(config: StoreConfig, log: Log): Promise<Database> {
    const { dataUri } = config
    if (isAbsolute(dataUri)) return Database.#openDirectory(config, log)
    return new Database(await openAddress(dataUri), undefined, config, log)
  }

  static async #openDirectory(config: StoreConfig, log: Log): Promise<Database> {
    const { dataUri } = config
    const release = await ownDirectory(dataUri, log)
    try {
      renewScratch(dataUri)
      await removeAllLeftovers(dataUri)
      const connection = await openConnection(dataUri)
      const owned = { release, notes: await VersionNotes.open(dataUri, log) }
      return new Database(connection, owned, config, log)
    } catch (cause) {
      release()
      throw new StartupError(`DATA_URI ${dataUri} cannot be opened.`, { cause })
    }
  }

  /** Whether a table went back to an older version, and may lack rows. */
  get hasGoneBack(): boolean {
    return this.#opener.hasGoneBack
  }

  /** By table; empty for an object store. */
  get noted(): ReadonlyMap<string, number> {
    return this.#owned?.notes.noted ?? new Map()
  }

  /** @throws StartupError if the store may lose what several servers write, and that is not allowed */
  async checkShared(config: StoreConfig): Promise<void> {
    if (!this.exclusive) await checkConditionalWrites(this.#connection, config, this.#log)
  }

  /** @throws StartupError if the disk failed while the tables were opened */
  checkSound(): void {
    if (this.volume.isSound) return
    throw new StartupError(`The disk of DATA_URI ${this.directory} failed. Check it.`)
  }

  tableNames(): Promise<string[]> {
    return tableNames(this.#connection)
  }

  /** Whether another server deletes the owner of a table. Set by the domain, which knows. */
  isGone = (_table: string): Promise<boolean> => Promise.resolve(false)

  /** The newest version of every table; on an object store 1 stands for any. */
  async versions(): Promise<Map<string, number>> {
    if (this.directory !== undefined) return newestVersions(this.directory)
    const names = (await this.tableNames()).filter((name) => !isOfCheck(name))
    return new Map(names.map((name) => [name, 1]))
  }

  /** Call after a table was restored, which makes it older than noted. */
  forgetNoted(table: string): void {
    this.#owned?.notes.forget(table)
  }

  async noteVersions(): Promise<void> {
    await this.#owned?.notes.start()
  }

  /** Call before `close`, once nothing is being written. */
  async stopNoting(): Promise<void> {
    await this.#owned?.notes.stop(this.volume.isSound)
  }

  openTable(name: string, reads: Reads = 'newest'): Promise<OpenTable | undefined> {
    return this.#opener.open(name, reads)
  }

  createTable(name: string, schema: Schema, reads: Reads = 'newest'): Promise<OpenTable> {
    return this.#opener.create(name, schema, reads)
  }

  /** Makes a missing table. Several processes may do so at once. */
  async ensureTable(name: string, schema: Schema): Promise<OpenTable> {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.openTable(name)) ?? (await this.createTable(name, schema))
      } catch (cause) {
        // While another process makes the table, it can be neither opened nor made.
        if (this.exclusive || attempt === openAttempts) throw cause
        await pause(openPauseMilliseconds)
      }
    }
  }

  /** Reads a table as it is, without healing it. */
  async inspect<T>(name: string, read: (table: Table) => Promise<T>): Promise<T> {
    const table = await translated(this.#connection.openTable(name))
    return translated(read(table)).finally(() => table.close())
  }

  dropTable(name: string): Promise<void> {
    return translated(this.#connection.dropTable(name))
  }

  /** Until this is called, nobody maintains the tables of an object store. */
  shareUpkeep(alone: Alone): void {
    this.#alone = alone
  }

  upkeepOf(table: OpenTable, queue: Holdable, indexes?: IndexKeeper): Upkeep {
    const alone: Alone = (name, work) => this.#alone(name, work)
    const isGone = () => this.isGone(table.name)
    const parts = { table, queue, jobs: this.jobs, log: this.#log, isGone }
    return new Upkeep({ ...parts, alone: this.exclusive ? undefined : alone }, indexes)
  }

  close(): void {
    this.#opener.close()
    this.jobs.close()
    try {
      this.#connection.close()
    } finally {
      if (this.directory !== undefined) removeScratch(scratchOf(this.directory))
      this.#owned?.release()
    }
  }
}
