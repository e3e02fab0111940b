import type { Datastore, DatastoreFields } from '../domain/datastores.ts'
import type { Ingestion } from '../domain/ingestion.ts'
import { type HashingEmbedder, isFormerBuiltIn } from '../embeddings/hashing-embedder.ts'
import { type Database, renewIndexes, TableUpgrade, type Records } from '../store/store.ts'
import { withFragmentLength } from './former-fields.ts'
import type { Progress } from './progress.ts'

export type Parts = {
  database: Database
  records: Records<DatastoreFields>
  embedder: HashingEmbedder
  /** It has the same embedder. */
  ingestion: Ingestion
  progress: Progress
}

/**
 * Upgrades one datastore to the format of this version. A repeated run does the rest. The record names the embedder
 * last, so that only whole datastores are searched by it. @returns false if its table is missing
 */
export async function upgradeDatastore(
  former: Datastore,
  parts: Parts,
  signal: AbortSignal,
): Promise<boolean> {
  const { database, records, embedder } = parts
  const datastore = await complete(former, records)
  const table = await TableUpgrade.open(database, datastore.id)
  if (!table) return false
  let isRewritten: boolean
  try {
    isRewritten = await rewriteAll(datastore, table, parts, signal)
  } finally {
    await table.close()
  }
  const isRenamed = isFormerBuiltIn(datastore.value.embeddingModel)
  if (isRewritten || isRenamed) await renewIndexes(database, datastore.id)
  if (!isRenamed) return true
  const value = { ...datastore.value, embeddingModel: embedder.model }
  await records.replace(datastore, value, { isSmall: true })
  return true
}

/** Runs first, so that a datastore with a damaged table can be shown. */
async function complete(former: Datastore, records: Records<DatastoreFields>): Promise<Datastore> {
  if ('fragmentLength' in former.value) return former
  const completed = await records.replace(former, withFragmentLength(former.value), {
    isSmall: true,
  })
  if (!completed) throw new Error('Its record was changed by somebody else.')
  return completed
}

/** Tells whether there was anything to do. The next documents are analysed while some are written. */
async function rewriteAll(
  datastore: Datastore,
  table: TableUpgrade,
  { ingestion, progress }: Parts,
  signal: AbortSignal,
): Promise<boolean> {
  const count = await table.countOutdated()
  progress.begin(datastore.id, count)
  let writing = Promise.resolve()
  for await (const documents of table.outdated()) {
    const analysed = await ingestion.reanalyse(datastore, documents, signal)
    await writing
    writing = table.rewrite(analysed).then(() => progress.did(documents.length))
    writing.catch(() => undefined)
  }
  await writing
  progress.end(await table.countOutdated())
  return count > 0
}
