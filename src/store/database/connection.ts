import { connect, type Connection, Session, type Table } from '@lancedb/lancedb'
import { isAbsolute } from 'node:path'
import { maxIndexBytes } from '../table/index-memory.ts'

/** By default LanceDB's caches may take several gigabytes. */
const metadataCacheBytes = 64n * 1024n * 1024n

/** A connection with caches of its own. */
export const openConnection = (uri: string): Promise<Connection> =>
  connect(uri, {
    // `connect` ignores its third argument, where its types have this.
    session: new Session(BigInt(maxIndexBytes), metadataCacheBytes),
    // Other servers write to an object store, and are read at once.
    ...(isAbsolute(uri) ? {} : { readConsistencyInterval: 0 }),
  })

/**
 * A table with caches of its own, which end with it. LanceDB's never let go of an index that was
 * replaced: they keep its deleted files open until they are full.
 */
export async function openAlone(
  uri: string,
  open: (connection: Connection) => Promise<Table>,
): Promise<Table> {
  const connection = await openConnection(uri)
  try {
    return await open(connection)
  } finally {
    connection.close()
  }
}
