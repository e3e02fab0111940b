import type { Connection, Table } from '@lancedb/lancedb'
import type { Schema } from 'apache-arrow'
import { Mutex } from 'async-mutex'
import { access, constants } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { ServiceError, StartupError } from '../errors.ts'
import type { Log } from '../log.ts'
import { openAddress } from './address.ts'
import { atOnce, type Turn } from './background.ts'
import { ChoreProcess } from './chore-process.ts'
import type { Chore } from './chores.ts'
import { unlessItPasses } from './damage.ts'
import { ownDirectory } from './directory.ts'
import { Durability, syncPath } from './durability.ts'
import { translated } from './faults.ts'
import { openWhole, tornFolder } from './healing.ts'
import { OpenTable, type Place } from './open-table.ts'
import { removeScratch, renewScratch, scratchOf } from './scratch.ts'
import { StoreConnection } from './store-connection.ts'
import { folderOf, newestVersions } from './table-versions.ts'
import { searchesAfter } from './thread-priority.ts'
import { VersionNotes } from './version-notes.ts'

/** Maintenance makes three versions before it syncs them, and a group of writes one. */
const mostUnsynced = 4

const openAttempts = 40
const openPauseMilliseconds = 25

/**
 * By how much they come after the event loop. Where searches came with that, the p99 of hybrid queries
 * beside an index of vectors being made for 16 s was 145 ms at 0, and 124 at 10. But at 10 less than
 * searches, where queries took all of the processors, it took 83 s, and as much was written until it and
 * the next merger were done as `FreshRows` holds.
 */
const longChoresAfter = searchesAfter + 5

export type StoreConfig = Pick<Config, 'dataUri' | 'durability'>

/** An open store, which on a local directory is the only one that it and what it starts write to. */
export class Database {
  readonly #connection: StoreConnection
  readonly #release: () => void
  readonly #log: Log
  readonly #place: Place
  readonly #chores: ChoreProcess
  /** For that which nothing waits for. Where mergers came later too, changes waited three times as long. */
  readonly #longChores: ChoreProcess
  /**
   * What is done here beside reads and writes is done to one table after the other: where 20 came to
   * 2,100 fragments together, queries of another took 61 ms at the most right after that, and 455 where
   * all were indexed at once. Of an object store it is the way there that takes long.
   */
  readonly #turns = new Mutex()
  #healed = false
  /** Whether what is written is synced here; object stores keep what they have taken. */
  readonly #syncs: boolean

  /** How new the tables of a local directory were. */
  readonly #notes: VersionNotes | undefined

  private constructor(
    connection: StoreConnection,
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
    this.#chores = new ChoreProcess(dataUri, searchesAfter)
    this.#longChores = new ChoreProcess(dataUri, longChoresAfter)
    this.#syncs = owned !== undefined && durability === 'fsync'
  }

  /** Whether a table went back to an older version, so that what it names may not be all there was. */
  get healed(): boolean {
    return this.#healed
  }

  /** Whether no other process can write here. */
  get exclusive(): boolean {
    return this.#place.directory !== undefined
  }

  /** Where it is local. */
  get directory(): string | undefined {
    return this.#place.directory
  }

  /** How new each table was when that was noted last; nothing where it is not local. */
  get noted(): ReadonlyMap<string, number> {
    return this.#notes?.noted ?? new Map()
  }

  /**
   * Settles when it can be written to, as far as can be told without writing.
   * @throws what keeps it from that
   */
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
    return new Database(await openAddress(dataUri, log), undefined, config, log)
  }

  static async #openDirectory(config: StoreConfig, log: Log): Promise<Database> {
    const { dataUri } = config
    const release = await ownDirectory(dataUri, log)
    try {
      renewScratch(dataUri)
      const connection = await StoreConnection.open(dataUri, log)
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
      const page = await translated(
        this.#connection.use((connection) =>
          connection.tableNames({ limit: 1000, ...last(names) }),
        ),
      )
      names.push(...page)
      if (page.length < 1000) return names
    }
  }

  /** Every table, and its newest version; where it is not local, 1 stands for any. */
  async versions(): Promise<Map<string, number>> {
    const { directory } = this.#place
    if (directory !== undefined) return newestVersions(directory)
    return new Map((await this.tableNames()).map((name) => [name, 1]))
  }

  /** Notes how new the tables are, now and from time to time. */
  async noteVersions(): Promise<void> {
    await this.#notes?.start()
  }

  /** To be called before `close` once nothing is being written. */
  async stopNoting(): Promise<void> {
    await this.#notes?.stop()
  }

  /**
   * The table at its newest whole version, or undefined when there is none of that name. Everything
   * that can be read in it is durable, also what a crash left without an answer.
   */
  openTable(name: string): Promise<OpenTable | undefined> {
    const { directory } = this.#place
    return this.#connection.use(async (connection) => {
      const opened = directory
        ? this.#openLocal(connection, directory, name)
        : translated(this.#openShared(connection, name))
      const table = await opened.catch((cause: unknown) => {
        throw unreadable(cause, name)
      })
      return table && this.#keep(name, table, connection)
    })
  }

  /** Reads a table as it is, without making it whole again. */
  inspect<T>(name: string, read: (table: Table) => Promise<T>): Promise<T> {
    const inspected = this.#connection.use(async (connection) => {
      const table = await connection.openTable(name)
      return read(table).finally(() => table.close())
    })
    return translated(inspected)
  }

  /** Makes a table; durable when it settles. */
  createTable(name: string, schema: Schema): Promise<OpenTable> {
    return this.#connection.use(async (connection) => {
      const table = await translated(connection.createEmptyTable(name, schema))
      this.#notes?.forget(name)
      return this.#keep(name, table, connection)
    })
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
    return translated(this.#connection.use((connection) => connection.dropTable(name)))
  }

  close(): void {
    this.#chores.close()
    this.#longChores.close()
    try {
      this.#connection.close()
    } finally {
      if (this.directory !== undefined) removeScratch(scratchOf(this.directory))
      this.#release()
    }
  }

  async #openLocal(
    connection: Connection,
    directory: string,
    name: string,
  ): Promise<Table | undefined> {
    // What went unsynced before may be any number of versions.
    const mostTorn = this.#syncs ? mostUnsynced : Infinity
    const opened = await openWhole(connection, directory, name, mostTorn)
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

  async #openShared(connection: Connection, name: string): Promise<Table | undefined> {
    try {
      return await connection.openTable(name)
    } catch (cause) {
      if ((await this.tableNames()).includes(name)) throw cause
      return undefined
    }
  }

  async #keep(name: string, table: Table, connection: Connection): Promise<OpenTable> {
    const { directory } = this.#place
    const folder = this.#syncs && directory ? folderOf(directory, name) : undefined
    const durability = folder === undefined ? undefined : new Durability(folder)
    const open = () => this.#connection.use((current) => current.openTable(name))
    const elsewhere = (chore: Chore) =>
      (chore.kind === 'vectors' ? this.#longChores : this.#chores).run(name, chore)
    const indexed = (bytes: number) => this.#connection.indexed(bytes)
    const [place, log] = [this.#place, this.#log]
    const closed = () => this.#connection.leave(kept)
    const inTurn: Turn = this.exclusive ? (go) => this.#turns.runExclusive(go) : atOnce
    const parts = { table, open, elsewhere, inTurn, indexed, closed, durability, place, log }
    const kept: OpenTable = new OpenTable(parts)
    await kept.sync()
    if (folder) await syncPath(dirname(folder))
    await this.#connection.keep(kept, connection)
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
