import type { Connection } from '@lancedb/lancedb'
import { setTimeout as pause } from 'node:timers/promises'
import { StartupError } from '../../errors/errors.ts'
import { openConnection } from './connection.ts'
import { whyUnreachable } from '../lance/faults.ts'
import { checkTemporary } from '../upkeep/scratch.ts'

/** LanceDB itself tries for minutes. */
const maxMilliseconds = 15_000

/** Connects to an object store. @throws StartupError saying why it cannot be used */
export async function openAddress(dataUri: string): Promise<Connection> {
  await checkTemporary()
  const patience = new AbortController()
  const late = pause(maxMilliseconds, undefined, patience).then(() => {
    throw new Error('timed out')
  })
  try {
    return await Promise.race([connect(dataUri), late])
  } catch (cause) {
    const why = whyUnreachable(cause)
    throw new StartupError(`DATA_URI ${dataUri} cannot be opened: ${why}.`, { cause })
  } finally {
    patience.abort()
  }
}

/** Connecting alone asks the object store nothing. */
async function connect(dataUri: string): Promise<Connection> {
  const connection = await openConnection(dataUri)
  await connection.tableNames({ limit: 1 })
  return connection
}
