import { setTimeout as pause } from 'node:timers/promises'
import { StartupError } from '../errors.ts'
import type { Log } from '../log.ts'
import { whyUnreachable } from './faults.ts'
import { checkTemporary } from './scratch.ts'
import { StoreConnection } from './store-connection.ts'

/** How long a start waits for an object store, whose library tries for minutes. */
const longestMilliseconds = 15_000

/**
 * Connects to an object store.
 * @throws StartupError saying why it cannot be used
 */
export async function openAddress(dataUri: string, log: Log): Promise<StoreConnection> {
  await checkTemporary()
  const patience = new AbortController()
  const late = pause(longestMilliseconds, undefined, patience).then(() => {
    throw new Error('timed out')
  })
  try {
    return await Promise.race([connect(dataUri, log), late])
  } catch (cause) {
    const why = whyUnreachable(cause)
    throw new StartupError(`DATA_URI ${dataUri} cannot be opened: ${why}.`, { cause })
  } finally {
    patience.abort()
  }
}

/** Only who asks for something learns whether there is anything. */
async function connect(dataUri: string, log: Log): Promise<StoreConnection> {
  const connection = await StoreConnection.open(dataUri, log)
  await connection.use((current) => current.tableNames({ limit: 1 }))
  return connection
}
