import { connect, type Connection, Session } from '@lancedb/lancedb'
import { isAbsolute } from 'node:path'
import { lowerThreads } from './thread-priority.ts'

/**
 * What LanceDB may remember of indexes: those of 100,000 fragments take 105 MB once all of them was
 * searched, and for a while after a merger the ones before are still there. What does not fit is read
 * again. By itself it would take 6 GB.
 */
const indexCacheBytes = 192n * 1024n * 1024n
const metadataCacheBytes = 64n * 1024n * 1024n

/** The connection to a store, and what it may remember. */
export class StoreConnection {
  readonly #connection: Connection
  readonly #session: Session
  #users = 0
  #isClosed = false

  private constructor(connection: Connection, session: Session) {
    this.#connection = connection
    this.#session = session
  }

  /** @param mostOfIndexes that may be remembered, in bytes; some more are while they are searched */
  static async open(uri: string, mostOfIndexes = indexCacheBytes): Promise<StoreConnection> {
    // `connect` takes one as an argument of its own too, and leaves that out.
    const session = new Session(mostOfIndexes, metadataCacheBytes)
    // One that reads what others write is only needed where there are others.
    const consistency = isAbsolute(uri) ? {} : { readConsistencyInterval: 0 }
    const connection = await connect(uri, { session, ...consistency })
    lowerThreads()
    return new StoreConnection(connection, session)
  }

  /** What of indexes and files is remembered, in bytes. */
  get rememberedBytes(): number {
    return Number(this.#session.sizeBytes())
  }

  /** Does what needs the connection, which stays open until that is done. */
  async use<T>(task: (connection: Connection) => Promise<T>): Promise<T> {
    this.#users += 1
    try {
      return await task(this.#connection)
    } finally {
      this.#users -= 1
      this.#closeUnused()
    }
  }

  /** What uses it now may still finish: LanceDB throws where one is closed that opens a table. */
  close(): void {
    this.#isClosed = true
    this.#closeUnused()
  }

  #closeUnused(): void {
    if (this.#isClosed && this.#users === 0) this.#connection.close()
  }
}
