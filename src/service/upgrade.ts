import { defaults } from '../../generated/defaults.gen.ts'
import type { Datastore, DatastoreFields } from '../domain/datastores.ts'
import { readPending } from '../domain/pending.ts'
import type { Log } from '../process/log.ts'
import {
  type StoreFormat,
  type Database,
  currentFormat,
  type Fragments,
  withLease,
  type Records,
} from '../store/store.ts'

export type Store = {
  database: Database
  storeFormat: StoreFormat
  records: Records<DatastoreFields>
  fragments: Fragments
}

/** Upgrades a store before its use, and refuses only datastores whose upgrade fails. */
export async function upgradeStore(store: Store, log: Log): Promise<void> {
  const { database, storeFormat } = store
  if (!(await isDue(store))) return
  if (database.exclusive) await upgradeAll(store, log, new AbortController().signal)
  else {
    log.info('This server upgrades the store, or waits while another does.')
    const lease = { records: storeFormat.records, id: 'upgrade', value: { format: currentFormat } }
    await withLease(lease, async (signal) => {
      if (!(await storeFormat.isCurrent())) await upgradeAll(store, log, signal)
    })
  }
}

/** Whether the store, or a record restored from an older copy, is of an older format. */
async function isDue({ storeFormat, records }: Store): Promise<boolean> {
  if (!(await storeFormat.isCurrent())) return true
  return (await records.ofWorkspaces('')).some(lacksFragmentLength)
}

async function upgradeAll(store: Store, log: Log, signal: AbortSignal): Promise<void> {
  const { storeFormat, records, fragments } = store
  const began = performance.now()
  const datastores = await records.ofWorkspaces('')
  const sum = { format: currentFormat, datastores: datastores.length }
  log.info(sum, 'upgrading the store; older versions cannot open it from now on')
  // Before the first change, so that no older version reads what it would misread.
  await storeFormat.write(true)
  let failures = 0
  for (const datastore of datastores) {
    signal.throwIfAborted()
    const isDone = await upgradeDatastore(datastore, store).catch((error: unknown) => {
      signal.throwIfAborted()
      fragments.refuse(datastore.id, error instanceof Error ? error : new Error(String(error)))
      return logFailure(datastore, error, log)
    })
    // A missing table of a datastore that is being made or deleted needs no upgrade.
    if (!isDone && !readPending(datastore.workspace)) failures += 1
  }
  signal.throwIfAborted()
  if (failures === 0) await storeFormat.write(false)
  const seconds = Math.round((performance.now() - began) / 100) / 10
  log.info({ ...sum, seconds, left: failures }, 'upgraded the store')
}

/** Does what an interrupted run has not done. @returns false if its table is missing */
async function upgradeDatastore(
  datastore: Datastore,
  { records, fragments }: Store,
): Promise<boolean> {
  // The record comes first, so that a datastore with a damaged table can be shown.
  if (lacksFragmentLength(datastore)) {
    const value = { ...datastore.value, fragmentLength: defaults.FragmentLength }
    const completed = await records.replace(datastore, value, { isSmall: true })
    if (!completed) throw new Error('Its record was changed by somebody else.')
  }
  return fragments.addMissingColumns(datastore.id)
}

/** Before format 6 all datastores had the default length. */
const lacksFragmentLength = ({ value }: Datastore): boolean => !('fragmentLength' in value)

function logFailure({ id: datastore }: Datastore, err: unknown, log: Log): false {
  const message = `The datastore ${datastore} could not be upgraded: it is answered 503 until a start that can.`
  log.error({ datastore, err }, message)
  return false
}
