import { connect, type Connection, Session, type Table } from '@lancedb/lancedb'
import { isAbsolute } from 'node:path'
import { maxIndexBytes } from '../table/index-memory.ts'

/** By default LanceDB's caches may take several gigabytes. */
const metadataCacheBytes = 64n * 1024n * 1024n

/** `freshness` is how old, in seconds, what is read from an object store may be. */
export const openConnection = (uri: string, freshness = 0): Promise<Connection> =>
  connect(uri, {
    // The types of `connect` put this third, where it is ignored.
    session: new Session(BigInt(maxIndexBytes), metadataCacheBytes),
    // Other servers write to an object store, too.
    ...(isAbsolute(uri) ? {} : { readConsistencyInterval: freshness }),
  })

/** A table with its own caches: LanceDB's keep deleted files of a replaced index open until they are full. */
export async function openAlone(
  uri: string,
  open: (connection: Connection) => Promise<Table>,
  freshness = 0,
): Promise<Table> {
  const connection = await openConnection(uri, freshness)
  try {
    return await open(connection)
  } finally {
    connection.close()
  }
}
