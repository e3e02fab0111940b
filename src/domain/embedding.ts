import type { QueryMode } from '../../generated/types.gen.ts'
import { checkVectors, type Embedder } from '../embeddings/embedder.ts'
import { isSame, type Prefixes, type EmbeddingRole } from '../embeddings/prefixes.ts'
import { EmbeddingModelMismatch } from '../errors/provider-errors.ts'
import type { Log } from '../process/log.ts'
import type { Records } from '../store/store.ts'
import type { Datastore, DatastoreFields } from './datastores.ts'
import { settledIn } from './pending.ts'

/** Embeds texts with a datastore's prefixes. @throws EmbeddingModelMismatch, EmbeddingFailed, EmbeddingTimeout */
export async function embedFor(
  datastore: Datastore,
  embedder: Embedder,
  role: EmbeddingRole,
  texts: string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const { value, workspace } = datastore
  checkEmbedder(datastore, embedder)
  if (texts.length === 0) return []
  const prefix = value.prefixes?.[role] ?? ''
  const inputs = texts.map((text) => prefix + text)
  const vectors = await embedder.embed(inputs, signal, workspace)
  // The first answer of a provider tells their length.
  checkEmbedder(datastore, embedder)
  checkVectors(vectors, texts.length, value.dimensions)
  return vectors
}

type Vectors = Pick<Embedder, 'model' | 'dimensions' | 'prefixes'>

/** Vectors of other models, lengths or prefixes cannot be compared. */
export function isEmbeddedBy(fields: DatastoreFields, embedder: Vectors): boolean {
  const isOfModel = fields.embeddingModel === embedder.model
  const isOfLength = (embedder.dimensions ?? fields.dimensions) === fields.dimensions
  return isOfModel && isOfLength && hasPrefixes(fields, embedder)
}

export const asksModel = ({ isModel }: Embedder, mode: QueryMode): boolean =>
  isModel && mode !== 'keyword'

/** A datastore of another embedder is searched by keyword alone. */
export const questionFor = <Asked extends { mode: QueryMode }>(
  { value }: Datastore,
  question: Asked,
  embedder: Embedder,
): Asked => (isEmbeddedBy(value, embedder) ? question : { ...question, mode: 'keyword' })

function checkEmbedder({ id, value }: Datastore, embedder: Embedder): void {
  if (isEmbeddedBy(value, embedder)) return
  const { name, embeddingModel, dimensions, prefixes } = value
  const running = embeddingModel === embedder.model ? nameOf(embedder) : embedder.model
  throw new EmbeddingModelMismatch(
    `${JSON.stringify(name)} (${id})`,
    `${embeddingModel} with ${dimensions} dimensions${prefixesText(prefixes)}`,
    `${running}${prefixesText(embedder.prefixes)}`,
  )
}

const nameOf = ({ model, dimensions }: Embedder): string =>
  dimensions === undefined ? model : `${model} with ${dimensions} dimensions`

/** A datastore without prefixes stays so: its queries and documents are embedded without them. */
const hasPrefixes = ({ prefixes }: DatastoreFields, embedder: Vectors): boolean =>
  !prefixes || (embedder.prefixes !== undefined && isSame(prefixes, embedder.prefixes))

const prefixesText = (prefixes: Prefixes | undefined): string =>
  prefixes
    ? `, EMBEDDING_QUERY_PREFIX ${JSON.stringify(prefixes.query)} and EMBEDDING_DOCUMENT_PREFIX ${JSON.stringify(prefixes.document)}`
    : ''

/** Logs which datastores have vectors of another embedder, or vectors made without the model's prefixes. */
export async function warnOfForeignVectors(
  embedder: Embedder,
  records: Records<DatastoreFields>,
  log: Log,
): Promise<void> {
  const { model, prefixes } = embedder
  const all = await settledIn(records)
  const warn = (isMeant: (value: DatastoreFields) => boolean, message: string) => {
    const datastores = all.flatMap(({ id, value }) => (isMeant(value) ? id : []))
    if (datastores.length > 0) log.warn({ datastores }, `${message} ${howToReembed}`)
  }
  warn((value) => !isEmbeddedBy(value, embedder), foreign(embedder))
  warn(
    (value) => prefixes !== undefined && value.embeddingModel === model && !value.prefixes,
    `These datastores were made without the prefixes that ${model} wants, and are searched without them, which finds less.`,
  )
}

/** The same of those that only the length of vectors tells, once the provider has told it. */
export async function warnOfForeignLengths(
  embedder: Embedder,
  records: Records<DatastoreFields>,
  log: Log,
): Promise<void> {
  const { model, prefixes } = embedder
  const ofAnyLength = { model, prefixes, dimensions: undefined }
  const datastores = (await settledIn(records)).flatMap(({ id, value }) =>
    isEmbeddedBy(value, ofAnyLength) && !isEmbeddedBy(value, embedder) ? id : [],
  )
  if (datastores.length > 0) log.warn({ datastores }, `${foreign(embedder)} ${howToReembed}`)
}

const foreign = (embedder: Embedder): string =>
  `These datastores hold vectors of another embedder than ${nameOf(embedder)}: they are searched by keyword alone, and take no documents.`

const howToReembed =
  'To have their documents embedded anew, "agents-datastores export" each and "import" it under another name.'
