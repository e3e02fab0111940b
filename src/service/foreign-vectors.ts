import type { DatastoreFields } from '../domain/datastores.ts'
import { isEmbeddedBy } from '../domain/embedding.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import type { Log } from '../process/log.ts'
import type { Records } from '../store/store.ts'

/** Logs which datastores have vectors that the embedder's cannot be compared with, or not at their best. */
export async function warnOfForeignVectors(
  embedder: Embedder,
  records: Records<DatastoreFields>,
  log: Log,
): Promise<void> {
  const { model, prefixes } = embedder
  const all = await records.ofWorkspaces('')
  const idsOf = (isSo: (value: DatastoreFields) => boolean) =>
    all.flatMap(({ id, value }) => (isSo(value) ? id : []))
  const foreign = idsOf((value) => !isEmbeddedBy(value, embedder))
  if (foreign.length > 0) {
    log.warn(
      { datastores: foreign },
      `These datastores hold vectors of another embedder than ${model}: they are searched by keyword alone, and take no documents. ${anew}`,
    )
  }
  const unprefixed = idsOf(
    (value) => prefixes !== undefined && value.embeddingModel === model && !value.prefixes,
  )
  if (unprefixed.length > 0) {
    log.warn(
      { datastores: unprefixed },
      `These datastores were made without the prefixes that ${model} wants, and are searched without them, which finds less. ${anew}`,
    )
  }
}

const anew =
  'To have their documents embedded anew, "agents-datastores export" each and "import" it under another name.'
