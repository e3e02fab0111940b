import { connect, type Connection, Session } from '@lancedb/lancedb'
import { isAbsolute } from 'node:path'
import { lowerThreads } from './upkeep/thread-priority.ts'

/** LanceDB's default caches may take several gigabytes; what does not fit is read from the disk again. */
const indexCacheBytes = 512n * 1024n * 1024n
const metadataCacheBytes = 64n * 1024n * 1024n

/** Only an object store has other writers, whose newest versions are to be seen at once. */
export async function openConnection(uri: string): Promise<Connection> {
  const connection = await connect(uri, {
    // As `connect`'s third argument, where its types have it, it is ignored.
    session: new Session(indexCacheBytes, metadataCacheBytes),
    ...(isAbsolute(uri) ? {} : { readConsistencyInterval: 0 }),
  })
  lowerThreads()
  return connection
}
