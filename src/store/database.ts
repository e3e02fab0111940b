import { connect, type Connection, Session, type Table } from '@lancedb/lancedb'
import type { Schema } from 'apache-arrow'
import { isAbsolute, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { StartupError } from '../errors.ts'
import type { Log } from '../log.ts'
import { lockDirectory } from './directory-lock.ts'
import { checkDirectory } from './directory.ts'
import { Durability, syncPath } from './durability.ts'
import { translated } from './faults.ts'
import { openWhole } from './healing.ts'
import { OpenTable } from './open-table.ts'

/** The default caches may take 7 GB; these bounds are far above what the tables here need. */
const indexCacheBytes = 256n * 1024n * 1024n
const metadataCacheBytes = 64n * 1024n * 1024n

const openAttempts = 40
const openPauseMilliseconds = 25

export type StoreConfig = Pick<Config, 'dataUri' | 'durability'>

/** An open store: one connection, and on a local directory its only owner. */
export class Database {
  readonly #connection: Connection
  readonly #release: () => void
  readonly #log: Log
  /** Where it is local. */
  readonly #directory: string | undefined
  /** Whether what is written is synced here; object stores keep what they have taken. */
  readonly #syncs: boolean

  private constructor(
    connection: Connection,
    release: (() => void) | undefined,
    { dataUri, durability }: StoreConfig,
    log: Log,
  ) {
    this.#connection = connection
    this.#release = release ?? (() => undefined)
    this.#log = log
    this.#directory = release && dataUri
    this.#syncs = release !== undefined && durability === 'fsync'
  }

  /** Whether no other process can write here. */
  get exclusive(): boolean {
    return this.#directory !== undefined
  }

  /**
   * Opens the store at an absolute directory, made when missing, or at an object store's address.
   * @throws StartupError when the place cannot be used or another process owns it
   */
  static async open(config: StoreConfig, log: Log): Promise<Database> {
    const { dataUri } = config
    const local = isAbsolute(dataUri)
    const release = local ? await ownDirectory(dataUri) : undefined
    try {
      const options = local ? {} : { readConsistencyInterval: 0 }
      const session = new Session(indexCacheBytes, metadataCacheBytes)
      return new Database(await connect(dataUri, options, session), release, config, log)
    } catch (cause) {
      release?.()
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

  /**
   * The table at its newest whole version, or undefined when there is none of that name. Everything
   * that can be read in it is durable, also what a crash left without an answer.
   */
  async openTable(name: string): Promise<OpenTable | undefined> {
    const table = this.#directory
      ? await translated(openWhole(this.#connection, this.#directory, name, this.#log))
      : await translated(this.#openShared(name))
    return table && this.#keep(name, table)
  }

  /** Makes a table; durable when it settles. */
  async createTable(name: string, schema: Schema): Promise<OpenTable> {
    const table = await translated(this.#connection.createEmptyTable(name, schema))
    return this.#keep(name, table)
  }

  /** The table of that name, made when missing, also when several processes make it at once. */
  async ensureTable(name: string, schema: Schema): Promise<OpenTable> {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.openTable(name)) ?? (await this.createTable(name, schema))
      } catch (cause) {
        // While another process makes it, it is there and can be neither opened nor made.
        if (this.exclusive || attempt === openAttempts) throw cause
        await setTimeout(openPauseMilliseconds)
      }
    }
  }

  dropTable(name: string): Promise<void> {
    return translated(this.#connection.dropTable(name))
  }

  close(): void {
    try {
      this.#connection.close()
    } finally {
      this.#release()
    }
  }

  async #openShared(name: string): Promise<Table | undefined> {
    try {
      return await this.#connection.openTable(name)
    } catch (cause) {
      if ((await this.tableNames()).includes(name)) throw cause
      return undefined
    }
  }

  async #keep(name: string, table: Table): Promise<OpenTable> {
    const durability =
      this.#directory && this.#syncs
        ? new Durability(join(this.#directory, `${name}.lance`))
        : undefined
    const open = () => this.#connection.openTable(name)
    const place = { open, directory: this.#directory, durability }
    const kept = new OpenTable(table, place, this.#log)
    await kept.sync()
    if (durability) await syncPath(this.#directory!)
    return kept
  }
}

const last = (names: string[]): { startAfter?: string } => {
  const name = names.at(-1)
  return name === undefined ? {} : { startAfter: name }
}

async function ownDirectory(directory: string): Promise<() => void> {
  try {
    await checkDirectory(directory)
    return lockDirectory(directory)
  } catch (cause) {
    if (cause instanceof StartupError) throw cause
    throw new StartupError(`DATA_URI ${directory} is not a directory that can be written to.`, {
      cause,
    })
  }
}
