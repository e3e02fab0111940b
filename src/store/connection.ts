import { connect, type Connection, Session } from '@lancedb/lancedb'
import { isAbsolute } from 'node:path'
import { lowerThreads } from './upkeep/thread-priority.ts'

/** What does not fit is read from the disk again; LanceDB's default caches may take 7 GB. */
const indexCacheBytes = 512n * 1024n * 1024n
const metadataCacheBytes = 64n * 1024n * 1024n

/** Connects to a store. To see what others write is only needed where there are others. */
export async function openConnection(uri: string): Promise<Connection> {
  const connection = await connect(uri, {
    // As `connect`'s third argument, where its types have it, it is ignored.
    session: new Session(indexCacheBytes, metadataCacheBytes),
    ...(isAbsolute(uri) ? {} : { readConsistencyInterval: 0 }),
  })
  lowerThreads()
  return connection
}
