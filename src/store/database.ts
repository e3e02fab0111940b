import type { Connection, Table } from '@lancedb/lancedb'
import type { Schema } from 'apache-arrow'
import { access, constants } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { ServiceError, StartupError } from '../errors.ts'
import type { Log } from '../process/log.ts'
import { openAddress } from './address.ts'
import { openConnection } from './connection.ts'
import { unlessItPasses } from './disk/damage.ts'
import { ownDirectory } from './disk/directory.ts'
import { Durability, syncPath } from './disk/durability.ts'
import { translated } from './lance/faults.ts'
import { openWhole, tornFolder } from './disk/healing.ts'
import type { Holdable } from './upkeep/compaction.ts'
import { OpenTable, type Place } from './table/open-table.ts'
import { folderOf, newestVersions } from './disk/table-versions.ts'
import type { IndexKeeper } from './upkeep/index-keeper.ts'
import { Jobs } from './upkeep/jobs.ts'
import { removeScratch, renewScratch, scratchOf } from './upkeep/scratch.ts'
import { Upkeep } from './upkeep/upkeep.ts'
import { VersionNotes } from './disk/version-notes.ts'

/** Upkeep makes up to three versions before it syncs them, and a group of writes one. */
const maxUnsynced = 4

const openAttempts = 40
const openPauseMilliseconds = 25

export type StoreConfig = Pick<Config, 'dataUri' | 'durability'>

/** An open store. A local directory is written to by this process and its jobs alone. */
export class Database {
  readonly #connection: Connection
  readonly #release: () => void
  readonly #log: Log
  readonly #place: Place
  readonly jobs: Jobs
  #healed = false
  /** Object stores keep what they have taken, and need no sync. */
  readonly #syncs: boolean
  readonly #notes: VersionNotes | undefined

  private constructor(
    connection: Connection,
    owned: Owned | undefined,
    { dataUri, durability }: StoreConfig,
    log: Log,
  ) {
    const { release, notes } = owned ?? {}
    this.#connection = connection
    this.#release = release ?? (() => undefined)
    this.#notes = notes
    this.#log = log
    this.#place = { directory: owned && dataUri, failure: undefined }
    this.jobs = new Jobs(dataUri)
    this.#syncs = owned !== undefined && durability === 'fsync'
  }

  /** Whether a table went back to an older version, so that something may be missing in it. */
  get healed(): boolean {
    return this.#healed
  }

  get exclusive(): boolean {
    return this.#place.directory !== undefined
  }

  get directory(): string | undefined {
    return this.#place.directory
  }

  /** The newest version of each table that was noted; empty for an object store. */
  get noted(): ReadonlyMap<string, number> {
    return this.#notes?.noted ?? new Map()
  }

  /** @throws what keeps the store from being written to, as far as can be told without writing */
  async checkWritable(): Promise<void> {
    if (this.#place.failure) throw this.#place.failure
    if (this.directory !== undefined) await access(this.directory, constants.W_OK)
  }

  /**
   * Opens the store at an absolute directory, made when missing, or at an object store's address.
   * @throws StartupError when the place cannot be used or another process owns it
   */
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
      const connection = await openConnection(dataUri)
      const owned = { release, notes: await VersionNotes.open(dataUri, log) }
      return new Database(connection, owned, config, log)
    } catch (cause) {
      release()
      throw new StartupError(`DATA_URI ${dataUri} cannot be opened.`, { cause })
    }
  }

  async tableNames(): Promise<string[]> {
    const names: string[] = []
    for (;;) {
      const page = await translated(this.#connection.tableNames({ limit: 1000, ...last(names) }))
      names.push(...page)
      if (page.length < 1000) return names
    }
  }

  /** Every table with its newest version; on an object store 1 stands for any. */
  async versions(): Promise<Map<string, number>> {
    const { directory } = this.#place
    if (directory !== undefined) return newestVersions(directory)
    return new Map((await this.tableNames()).map((name) => [name, 1]))
  }

  /** To be called when a table was restored, which is older than noted for a reason. */
  forgetNoted(table: string): void {
    this.#notes?.forget(table)
  }

  /** Begins to note the versions of tables, now and from time to time. */
  async noteVersions(): Promise<void> {
    await this.#notes?.start()
  }

  /** To be called before `close` once nothing is being written. */
  async stopNoting(): Promise<void> {
    await this.#notes?.stop(this.#place.failure === undefined)
  }

  /**
   * Opens a table at its newest whole version; undefined when there is none of that name. Everything
   * that can be read in it is durable, also what a crash left without an answer.
   */
  async openTable(name: string): Promise<OpenTable | undefined> {
    const { directory } = this.#place
    const opened = directory ? this.#openLocal(directory, name) : translated(this.#openShared(name))
    const table = await opened.catch((cause: unknown) => {
      throw unreadable(cause, name)
    })
    return table && this.#keep(table)
  }

  /** Reads a table as it is, without making it whole again. */
  async inspect<T>(name: string, read: (table: Table) => Promise<T>): Promise<T> {
    const table = await translated(this.#connection.openTable(name))
    return translated(read(table)).finally(() => table.close())
  }

  async createTable(name: string, schema: Schema): Promise<OpenTable> {
    const table = await translated(this.#connection.createEmptyTable(name, schema))
    this.#notes?.forget(name)
    return this.#keep(table)
  }

  upkeepOf(table: OpenTable, queue: Holdable, indexes?: IndexKeeper): Upkeep {
    return new Upkeep({ table, queue, jobs: this.jobs, log: this.#log }, indexes)
  }

  /** The table of that name, made when missing, also when several processes make it at once. */
  async ensureTable(name: string, schema: Schema): Promise<OpenTable> {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.openTable(name)) ?? (await this.createTable(name, schema))
      } catch (cause) {
        // While another process makes it, it is there and can be neither opened nor made.
        if (this.exclusive || attempt === openAttempts) throw cause
        await pause(openPauseMilliseconds)
      }
    }
  }

  dropTable(name: string): Promise<void> {
    return translated(this.#connection.dropTable(name))
  }

  close(): void {
    this.jobs.close()
    try {
      this.#connection.close()
    } finally {
      if (this.directory !== undefined) removeScratch(scratchOf(this.directory))
      this.#release()
    }
  }

  async #openLocal(directory: string, name: string): Promise<Table | undefined> {
    const tearable = {
      // Without syncs any number of versions may be torn.
      maxTorn: this.#syncs ? maxUnsynced : Infinity,
      durable: this.#syncs ? (this.#notes?.durable(name) ?? 0) : 0,
    }
    const opened = await openWhole(this.#connection, directory, name, tearable)
    if (opened && opened.torn.length > 0) {
      this.#healed = true
      const kept = join(folderOf(directory, name), tornFolder)
      this.#notes?.forget(name)
      this.#log.error(
        { table: name, torn: opened.torn, kept, next: wentBack(folderOf(directory, name)) },
        'a table went back to its newest whole version',
      )
    }
    return opened?.table
  }

  async #openShared(name: string): Promise<Table | undefined> {
    try {
      return await this.#connection.openTable(name)
    } catch (cause) {
      if ((await this.tableNames()).includes(name)) throw cause
      return undefined
    }
  }

  async #keep(table: Table): Promise<OpenTable> {
    const { directory } = this.#place
    const { name } = table
    const folder = this.#syncs && directory ? folderOf(directory, name) : undefined
    const kept = new OpenTable({
      table,
      open: () => this.#connection.openTable(name),
      durability: folder === undefined ? undefined : new Durability(folder),
      place: this.#place,
      log: this.#log,
    })
    await kept.sync()
    if (folder) {
      await syncPath(dirname(folder))
      this.#notes?.opened(name)
    }
    return kept
  }
}

/** A directory that this process owns: what gives it back, and what is noted of it. */
type Owned = { release: () => void; notes: VersionNotes }

function unreadable(cause: unknown, name: string): unknown {
  if (cause instanceof ServiceError || cause instanceof StartupError) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new StartupError(`The table ${name} cannot be opened. ${reason} ${unlessItPasses(name)}`, {
    cause,
  })
}

const wentBack = (folder: string): string =>
  `After a power cut nothing that was answered is lost. Otherwise stop the server and put ${folder} back from a copy.`

const last = (names: string[]): { startAfter?: string } => {
  const name = names.at(-1)
  return name === undefined ? {} : { startAfter: name }
}
