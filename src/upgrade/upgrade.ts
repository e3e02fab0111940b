import type { Datastore, DatastoreFields } from '../domain/datastores.ts'
import { LabelBudget } from '../domain/label-budget.ts'
import { Ingestion } from '../domain/ingestion.ts'
import { readPending } from '../domain/pending.ts'
import { HashingEmbedder } from '../embeddings/hashing-embedder.ts'
import type { Log } from '../process/log.ts'
import {
  type StoreFormat,
  type Database,
  currentFormat,
  type Fragments,
  isAnyPutBack,
  withLease,
  type Records,
} from '../store/store.ts'
import { upgradeDatastore } from './datastore-upgrade.ts'
import { isFormer } from './former-fields.ts'
import { Progress } from './progress.ts'

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

/** A restored table may be older than the store. */
async function isDue({ database, storeFormat, records }: Store): Promise<boolean> {
  if (!(await storeFormat.isCurrent())) return true
  const datastores = await records.ofWorkspaces('')
  return (
    datastores.some(({ value }) => isFormer(value)) ||
    isAnyPutBack(
      database,
      datastores.map(({ id }) => id),
    )
  )
}

async function upgradeAll(store: Store, log: Log, signal: AbortSignal): Promise<void> {
  const { storeFormat, database, records, fragments } = store
  const embedder = new HashingEmbedder()
  const ingestion = new Ingestion(fragments, embedder, new LabelBudget())
  const progress = new Progress(log)
  const datastores = await records.ofWorkspaces('')
  const sum = { format: currentFormat, datastores: datastores.length }
  log.info(sum, 'upgrading the store; older versions cannot open it from now on')
  // Before the first change, so that no older version reads what it would misread.
  await storeFormat.write(true)
  const parts = { database, records, embedder, ingestion, progress }
  let left = 0
  for (const datastore of datastores) {
    const isDone = await upgradeDatastore(datastore, parts, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      fragments.refuse(datastore.id, error instanceof Error ? error : new Error(String(error)))
      return tellLeft(datastore, error, log)
    })
    // A missing table of a datastore that is being made or deleted needs no upgrade.
    if (!isDone && !readPending(datastore.workspace)) left += 1
  }
  if (left === 0) await storeFormat.write(false)
  log.info({ ...sum, ...progress.total, left }, 'upgraded the store')
}

function tellLeft({ id: datastore }: Datastore, err: unknown, log: Log): false {
  const message = `The datastore ${datastore} could not be upgraded: it is answered 503 until a start that can.`
  log.error({ datastore, err }, message)
  return false
}
