import type { DatastoreFields } from '../domain/datastores.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import type { Log } from '../process/log.ts'
import type { Records } from '../store/records/records.ts'

/** Logs which datastores were made without the prefixes that the model wants: they stay as they are. */
export async function tellUnprefixed(
  { model, prefixes }: Embedder,
  records: Records<DatastoreFields>,
  log: Log,
): Promise<void> {
  if (!prefixes) return
  const ofModel = (await records.ofWorkspaces('')).filter(
    ({ value }) => value.embeddingModel === model,
  )
  const datastores = ofModel.flatMap(({ id, value }) => (value.prefixes ? [] : id))
  if (datastores.length === 0) return
  log.warn(
    { datastores },
    `These datastores were made without the prefixes that ${model} wants, and are searched without them, which finds less. To have their documents embedded anew, put them into a new datastore.`,
  )
}
