import { IdempotencyMismatch, NotFound } from '../errors/errors.ts'
import type { Deadline } from '../process/deadline.ts'
import type { Document, DatasourceInfo } from '../store/types.ts'
import type { Datastore } from './datastores.ts'
import { metadataFields, type NewDocument, parseMetadata, toStored } from './documents.ts'
import { embeddedFragments, type WriteParts } from './fragments.ts'
import { digestOf, repeatableBatch, batchOf, documentId, newId, orNotFound } from './ids.ts'
import { measureLabels } from './label-budget.ts'

/** The documents of one upsert. `digest` is null if it cannot be repeated. */
type Upsert = {
  datastore: Datastore
  documents: NewDocument[]
  batch: string
  digest: string | null
}

/** Document → fragments → words and vectors → store. */
export class Ingestion {
  readonly #parts: WriteParts

  constructor(parts: WriteParts) {
    this.#parts = parts
  }

  /**
   * Stores new documents, all or none, and returns their ids in the order sent; once per idempotency key.
   * @throws IdempotencyMismatch, EmbeddingModelMismatch, EmbeddingFailed, EmbeddingTimeout, StorageFull, NotFound
   */
  async upsert(
    datastore: Datastore,
    documents: NewDocument[],
    deadline: Deadline,
    idempotencyKey?: string,
  ): Promise<string[]> {
    const { writes } = await this.#parts.fragments.of(datastore.id)
    if (idempotencyKey !== undefined) {
      const batch = repeatableBatch(datastore, idempotencyKey)
      const digest = await digestOf(documents)
      await this.#upsertOnce({ datastore, documents, batch, digest }, deadline)
      return documents.map((_, index) => documentId(batch, index))
    }
    if (documents.length === 0) return []
    const upsert = { datastore, documents, batch: newId('src'), digest: null }
    const { prepared, labels } = await this.#prepare(upsert, deadline)
    await this.#parts.labels.write(prepared, labels, () => writes.add(prepared, deadline))
    return prepared.map(({ id }) => id)
  }

  async #upsertOnce(upsert: Upsert, deadline: Deadline): Promise<void> {
    const { datastore, documents, batch } = upsert
    const { writes } = await this.#parts.fragments.of(datastore.id)
    const isEmpty = documents.length === 0
    // A provider's vectors cost money, so a repeated upsert makes none. Built-in ones cost less than the look-up.
    const looksUp = isEmpty || this.#parts.embedder.isModel
    if (looksUp && !isNew(upsert, await writes.digestOf(batch))) return
    if (isEmpty) return
    const { prepared, labels } = await this.#prepare(upsert, deadline)
    const add = () => writes.addOnce(prepared, deadline)
    isNew(upsert, await this.#parts.labels.write(prepared, labels, add))
  }

  /** Replaces a datasource in one step. Members left out keep their values. @throws NotFound; as `upsert` */
  async update(
    datastore: Datastore,
    id: string,
    update: NewDocument,
    deadline: Deadline,
  ): Promise<void> {
    const { writes } = await this.#parts.fragments.of(datastore.id)
    for (;;) {
      const { name, fragments, labels } = await this.#renewed(datastore, id, update, deadline)
      let isRenamed = false
      const replacementOf = (current: DatasourceInfo): Document | undefined => {
        isRenamed = update.name === undefined && current.name !== name
        return isRenamed ? undefined : replacement(current, update, { name, fragments })
      }
      const replace = () => writes.replace(id, replacementOf, fragments.length, deadline)
      const isFound = await this.#parts.labels.write([{ fragments }], labels, replace)
      if (!isFound) throw new NotFound('datasource', id)
      if (!isRenamed) return
    }
  }

  /** The state of a document after an update, and the bytes of its labels. @throws NotFound */
  async #renewed(
    datastore: Datastore,
    id: string,
    { text, name, metadata }: NewDocument,
    deadline: Deadline,
  ): Promise<Pick<Document, 'name' | 'fragments'> & { labels: number[] }> {
    const table = await this.#parts.fragments.of(datastore.id)
    const stored = orNotFound(await table.vectors(id), 'datasource', id)
    const content = { text, name: name ?? stored.name }
    const after = metadata === undefined ? parseMetadata(stored.metadata) : metadata
    const { fragmentLength } = datastore.value
    const labels = await measureLabels([{ text, metadata: after }], fragmentLength)
    const { embedder } = this.#parts
    const before = async () => stored.vectors
    const renewed = await embeddedFragments(datastore, embedder, [content], deadline, before)
    const [fragments = []] = renewed
    return { name: content.name, fragments, labels }
  }

  async #prepare(
    { datastore, documents, batch, digest }: Upsert,
    deadline: Deadline,
  ): Promise<{ prepared: Document[]; labels: number[] }> {
    const labels = await measureLabels(documents, datastore.value.fragmentLength)
    const fragments = await embeddedFragments(datastore, this.#parts.embedder, documents, deadline)
    const identityOf = (_: NewDocument, index: number) => {
      return { id: documentId(batch, index), key: null, batch, digest }
    }
    const prepared = await toStored(documents, identityOf, fragments)
    return { prepared, labels }
  }
}

/** Whether nothing is stored under the upsert's key. @throws IdempotencyMismatch if other documents are */
function isNew({ digest }: Upsert, stored: string | undefined): boolean {
  if (stored === undefined) return true
  if (stored !== digest) throw new IdempotencyMismatch()
  return false
}

const replacement = (
  current: DatasourceInfo,
  { metadata }: NewDocument,
  content: Pick<Document, 'name' | 'fragments'>,
): Document => ({
  id: current.id,
  key: current.key,
  batch: batchOf(current.id),
  ...metadataFields(metadata === undefined ? parseMetadata(current.metadata) : metadata),
  // They belong to another text.
  pages: null,
  encoding: null,
  digest: current.digest,
  ...content,
})
