import { connect, type Connection, Session } from '@lancedb/lancedb'
import { isAbsolute } from 'node:path'
import { lowerThreads } from './upkeep/thread-priority.ts'

/** By default LanceDB's caches may take several gigabytes. */
const indexCacheBytes = 512n * 1024n * 1024n
const metadataCacheBytes = 64n * 1024n * 1024n

export async function openConnection(uri: string): Promise<Connection> {
  const connection = await connect(uri, {
    // `connect` ignores its third argument, where its types have this.
    session: new Session(indexCacheBytes, metadataCacheBytes),
    // Other servers write to an object store, and are read at once.
    ...(isAbsolute(uri) ? {} : { readConsistencyInterval: 0 }),
  })
  lowerThreads()
  return connection
}
