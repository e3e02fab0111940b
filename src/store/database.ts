import { connect, type Connection, Session, type Table } from '@lancedb/lancedb'
import { type Schema } from 'apache-arrow'
import { mkdir } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { StartupError } from '../errors.ts'
import { lockDirectory } from './directory-lock.ts'
import { translated } from './faults.ts'

/** The default caches may take 7 GB; these bounds are far above what the tables here need. */
const indexCacheBytes = 256n * 1024n * 1024n
const metadataCacheBytes = 64n * 1024n * 1024n

const openAttempts = 40
const openPauseMilliseconds = 25

/** An open store: one connection, and on a local directory its only owner. */
export class Database {
  readonly #connection: Connection
  readonly #release: () => void
  /** Whether no other process can write here. */
  readonly exclusive: boolean

  private constructor(connection: Connection, release: (() => void) | undefined) {
    this.#connection = connection
    this.exclusive = release !== undefined
    this.#release = release ?? (() => undefined)
  }

  /**
   * Opens the store at an absolute directory, made when missing, or at an object store's address.
   * @throws StartupError when the place cannot be used or another process owns it
   */
  static async open(uri: string): Promise<Database> {
    const local = isAbsolute(uri)
    const release = local ? await ownDirectory(uri) : undefined
    try {
      const options = local ? {} : { readConsistencyInterval: 0 }
      const session = new Session(indexCacheBytes, metadataCacheBytes)
      return new Database(await connect(uri, options, session), release)
    } catch (cause) {
      release?.()
      throw new StartupError(`DATA_URI ${uri} cannot be opened.`, { cause })
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

  /** The table, or undefined when there is none of that name. */
  async openTable(name: string): Promise<Table | undefined> {
    try {
      return await this.#connection.openTable(name)
    } catch (cause) {
      if ((await this.tableNames()).includes(name)) throw cause
      return undefined
    }
  }

  createTable(name: string, schema: Schema): Promise<Table> {
    return translated(this.#connection.createEmptyTable(name, schema))
  }

  /** The table of that name, made when missing, also when several processes make it at once. */
  async ensureTable(name: string, schema: Schema): Promise<Table> {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.openTable(name)) ?? (await this.createTable(name, schema))
      } catch (cause) {
        // While another process makes it, it is there and can be neither opened nor made.
        if (attempt === openAttempts) throw cause
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
}

const last = (names: string[]): { startAfter?: string } => {
  const name = names.at(-1)
  return name === undefined ? {} : { startAfter: name }
}

async function ownDirectory(directory: string): Promise<() => void> {
  try {
    await mkdir(directory, { recursive: true })
    return lockDirectory(directory)
  } catch (cause) {
    if (cause instanceof StartupError) throw cause
    throw new StartupError(`DATA_URI ${directory} is not a directory that can be written to.`, {
      cause,
    })
  }
}
