import { randomUUID } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, type Connection, Session, type Table, makeArrowTable } from '@lancedb/lancedb'
import { StartupError } from '../../errors/errors.ts'
import type { Log } from '../../process/log.ts'
import { checkTemporary } from '../../process/scratch.ts'
import { whyUnreachable } from '../lance/faults.ts'
import { maxIndexBytes } from '../table/table-handle.ts'

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
  freshness: number,
): Promise<Table> {
  const connection = await openConnection(uri, freshness)
  try {
    return await open(connection)
  } finally {
    connection.close()
  }
}

/** LanceDB itself tries for minutes. */
const maxMilliseconds = 15_000

/** Connects to an object store. @throws StartupError saying why it cannot be used */
export async function openAddress(dataUri: string): Promise<Connection> {
  await checkTemporary()
  return inTime(dataUri, reach(dataUri))
}

const isUnsafe =
  'has no conditional writes (If-None-Match): it would lose documents if two servers wrote. Use a store that has them, or set ALLOW_UNSAFE_STORE=1 and run one server.'

/** @throws StartupError if servers of an object store would overwrite each other's commits, and that is not allowed */
export async function checkConditionalWrites(
  connection: Connection,
  { dataUri, allowUnsafeStore = false }: { dataUri: string; allowUnsafeStore?: boolean },
  log: Log,
): Promise<void> {
  if (await hasConditionalWrites(dataUri, connection)) return
  if (!allowUnsafeStore) throw new StartupError(`DATA_URI ${dataUri} ${isUnsafe}`)
  log.warn(`ALLOW_UNSAFE_STORE is set. DATA_URI ${dataUri} ${isUnsafe}`)
}

/** Writers of one new table at once. */
const rivals = 4

const checked = 'check_'

/** A kill may leave such a table behind. */
export const isOfCheck = (table: string): boolean => table.startsWith(checked)

/** Writes a small table several times at once, and drops it. @throws StartupError if it cannot be written */
async function hasConditionalWrites(dataUri: string, connection: Connection): Promise<boolean> {
  const name = `${checked}${randomUUID().replaceAll('-', '')}`
  const write = (n: number) => connection.createTable(name, makeArrowTable([{ n }]))
  const check = async () => {
    const writes = Array.from({ length: rivals }, (_, n) => write(n))
    const outcomes = await Promise.allSettled(writes)
    const written = outcomes.filter(({ status }) => status === 'fulfilled').length
    if (written === 0) throw outcomes.find((one) => one.status === 'rejected')?.reason
    const table = await connection.openTable(name)
    // Each write makes a version, unless another write replaces it.
    const versions = await table.version()
    table.close()
    await connection.dropTable(name)
    return versions === written
  }
  return inTime(dataUri, check())
}

/** @throws StartupError saying why the store cannot be used */
async function inTime<T>(dataUri: string, work: Promise<T>): Promise<T> {
  const patience = new AbortController()
  const late = pause(maxMilliseconds, undefined, patience).then(() => {
    throw new Error('timed out')
  })
  try {
    return await Promise.race([work, late])
  } catch (cause) {
    const why = whyUnreachable(cause)
    throw new StartupError(`DATA_URI ${dataUri} cannot be opened: ${why}.`, { cause })
  } finally {
    patience.abort()
  }
}

/** Connecting alone asks the object store nothing. */
async function reach(dataUri: string): Promise<Connection> {
  const connection = await openConnection(dataUri)
  await connection.tableNames({ limit: 1 })
  return connection
}
