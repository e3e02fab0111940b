import type { Embedder } from '../embeddings/embedder.ts'
import type { Deadline } from '../scheduling/deadline.ts'
import type { Fragments } from '../store/store.ts'
import type { Put } from '../store/types.ts'
import { type Datasource, found } from './datasources.ts'
import type { Datastore } from './datastores.ts'
import { metadataFields, type NewDocument } from './documents.ts'
import { renewedFragments } from './embedded-fragments.ts'
import { batchOf, documentId, keyedId, newId } from './ids.ts'
import { type LabelRoom, measureLabels } from './label-room.ts'
import { checkOf, type Precondition } from './precondition.ts'

/** Documents by their users' keys. The id is made from the key, so each key has one document. */
export class KeyedDocuments {
  readonly #fragments: Fragments
  readonly #embedder: Embedder
  readonly #labels: LabelRoom

  constructor(fragments: Fragments, embedder: Embedder, labels: LabelRoom) {
    this.#fragments = fragments
    this.#embedder = embedder
    this.#labels = labels
  }

  /** Replaces or adds the document of a key in one step. @throws PreconditionFailed; as `Ingestion.upsert` */
  async put(
    datastore: Datastore,
    { key = null, text, name = '', metadata = null, pages = null, encoding = null }: NewDocument,
    precondition: Precondition,
    deadline: Deadline,
  ): Promise<Put> {
    const labels = await measureLabels([{ text, metadata }], datastore.value.fragmentLength)
    const id = key === null ? documentId(newId('src'), 0) : keyedId(datastore.id, key)
    const table = await this.#fragments.of(datastore.id)
    const stored = key === null ? undefined : await table.vectors(id)
    const content = { text, name, pages }
    const vectors = stored?.vectors
    const fragments = await renewedFragments(datastore, this.#embedder, content, deadline, vectors)
    const identity = { id, key, batch: batchOf(id), digest: null }
    const file = { pages: pages && JSON.stringify(pages), encoding }
    const document = { ...identity, name, ...metadataFields(metadata), ...file, fragments }
    return this.#labels.write([document], labels, () =>
      table.writes.put(document, checkOf(precondition), deadline, stored === undefined),
    )
  }

  /** @throws NotFound */
  async get(datastore: Datastore, key: string): Promise<Datasource> {
    const table = await this.#fragments.of(datastore.id)
    return found(await table.read(keyedId(datastore.id, key)), 'document', key)
  }

  /** Deletes a document and returns its last state. @throws NotFound, PreconditionFailed */
  async remove(
    datastore: Datastore,
    key: string,
    precondition: Precondition,
    deadline: Deadline,
  ): Promise<Datasource> {
    const { writes } = await this.#fragments.of(datastore.id)
    const id = keyedId(datastore.id, key)
    return found(await writes.remove(id, deadline, checkOf(precondition)), 'document', key)
  }
}
