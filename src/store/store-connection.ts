import { connect, type Connection, Session } from '@lancedb/lancedb'
import { isAbsolute } from 'node:path'
import type { Log } from '../log.ts'
import { lowerThreads } from './thread-priority.ts'

/**
 * What does not fit is read from the disk again; the default caches may take 7 GB. All indexes of 100,000
 * fragments take 105 MB, and those before them stay for a while beside them.
 */
const indexCacheBytes = 512n * 1024n * 1024n
const metadataCacheBytes = 64n * 1024n * 1024n
const newSession = () => new Session(indexCacheBytes, metadataCacheBytes)

/**
 * LanceDB keeps every index that was searched as long as there is room, also when another took its place:
 * that of words takes 42 MB at 100,000 fragments, each time it is made anew.
 */
const mostOutdatedBytes = 96 * 1024 * 1024
/**
 * As much is not worth keeping once nothing is indexed any more: where 120,000 fragments had just been
 * stored, 512 clients of hybrid queries brought the process to 890 to 1,090 MiB; opened anew first, to 870.
 * Beside steady writes something is indexed every ten seconds.
 */
const mostOutdatedAtRest = 16 * 1024 * 1024
const restMilliseconds = 15_000
/**
 * What it keeps of one takes so much however small it is, and holds a file open: of 300 small tables
 * 50 MB.
 */
const leastOutdated = 128 * 1024
/** What it keeps of a table that is gone, and the files that holds open. */
const outdatedByTable = 1024 * 1024

/** What is open by a connection, and can be opened anew by the one that takes its place. */
type Reopened = { reopen(): Promise<void> }

/** A connection, and by how many it is used. */
type Used = { connection: Connection; users: number }

/** The connection to a store. Another one takes its place, and its tables', when it takes too much memory. */
export class StoreConnection {
  readonly #connect: () => Promise<Connection>
  readonly #log: Log
  #current: Used
  readonly #tables = new Set<Reopened>()
  #outdatedBytes = 0
  #resting: NodeJS.Timeout | undefined
  #isRenewing = false
  #isClosed = false

  private constructor(connectAnew: () => Promise<Connection>, connection: Connection, log: Log) {
    this.#connect = connectAnew
    this.#current = { connection, users: 0 }
    this.#log = log
  }

  /** @param session of each connection, which bounds what LanceDB remembers */
  static async open(uri: string, log: Log, session = newSession): Promise<StoreConnection> {
    const connectAnew = () => connected(uri, session())
    const connection = await connectAnew()
    lowerThreads()
    return new StoreConnection(connectAnew, connection, log)
  }

  /** Does what needs the connection, which stays open until that is done. */
  async use<T>(task: (connection: Connection) => Promise<T>): Promise<T> {
    const used = this.#current
    used.users += 1
    try {
      return await task(used.connection)
    } finally {
      used.users -= 1
      this.#closeUnused(used)
    }
  }

  /** Has a table that `connection` opened opened anew from now on, until it is left. */
  async keep(table: Reopened, connection: Connection): Promise<void> {
    this.#tables.add(table)
    if (connection !== this.#current.connection) await table.reopen()
  }

  leave(table: Reopened): void {
    if (this.#tables.delete(table)) this.#outdate(outdatedByTable)
  }

  /** To be told how many bytes an index of words takes that was made. */
  indexed(bytes: number): void {
    this.#outdate(Math.max(leastOutdated, bytes))
  }

  /** What uses it now may still finish: LanceDB throws where one is closed that opens a table. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#resting)
    this.#closeUnused(this.#current)
  }

  #outdate(bytes: number): void {
    this.#outdatedBytes += bytes
    this.#renewWhenDue()
  }

  #renewWhenDue(): void {
    clearTimeout(this.#resting)
    if (this.#isRenewing || this.#isClosed) return
    if (this.#outdatedBytes >= mostOutdatedBytes) void this.#renew()
    else if (this.#outdatedBytes >= mostOutdatedAtRest) {
      this.#resting = setTimeout(() => void this.#renew(), restMilliseconds).unref()
    }
  }

  /** Opens everything anew, so that what the session remembers goes. */
  async #renew(): Promise<void> {
    this.#isRenewing = true
    this.#outdatedBytes = 0
    const before = this.#current
    try {
      const next = await this.#connect()
      if (this.#isClosed) return next.close()
      this.#current = { connection: next, users: 0 }
      for (const table of this.#tables) await this.#reopen(table)
      this.#closeUnused(before)
    } catch (err) {
      this.#log.warn({ err }, 'the store could not be opened anew')
    } finally {
      this.#isRenewing = false
      this.#renewWhenDue()
    }
  }

  /** One that another took the place of holds what its session remembers. */
  #closeUnused(used: Used): void {
    const isNeeded = used === this.#current && !this.#isClosed
    if (!isNeeded && used.users === 0) used.connection.close()
  }

  /** One that cannot be opened, for another server dropped it, is not to keep others from it. */
  async #reopen(table: Reopened): Promise<void> {
    try {
      if (!this.#isClosed) await table.reopen()
    } catch (err) {
      if (!this.#isClosed) this.#log.warn({ err }, 'a table could not be opened anew')
    }
  }
}

/** One that reads what others write is only needed where there are others. */
const connected = (uri: string, session: Session): Promise<Connection> =>
  connect(uri, {
    // As `connect`'s third argument, where its types have it, it is ignored.
    session,
    ...(isAbsolute(uri) ? {} : { readConsistencyInterval: 0 }),
  })
