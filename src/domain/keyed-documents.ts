import type { Deadline } from '../process/deadline.ts'
import type { Check, Put } from '../store/types.ts'
import { type Datasource, datasourceOf } from './datasources.ts'
import type { Datastore } from './datastores.ts'
import { type NewDocument, toStored } from './documents.ts'
import { embeddedFragments, type WriteParts } from './fragments.ts'
import { batchOf, documentId, keyedId, newId } from './ids.ts'
import { measureLabels } from './label-budget.ts'
import { checkOf, type Precondition } from './precondition.ts'

/** Documents by their users' keys. The id is made from the key, so each key has one document. */
export class KeyedDocuments {
  readonly #parts: WriteParts

  constructor(parts: WriteParts) {
    this.#parts = parts
  }

  /** Replaces or adds the document of a key in one step. @throws PreconditionFailed; as `Ingestion.upsert` */
  async put(
    datastore: Datastore,
    document: NewDocument,
    precondition: Precondition,
    deadline: Deadline,
  ): Promise<Put> {
    const [put] = await this.#put(datastore, [document], checkOf(precondition), deadline)
    return put!
  }

  /** The same for documents of different keys, all or none, in the order given. */
  putAll(datastore: Datastore, documents: NewDocument[], deadline: Deadline): Promise<Put[]> {
    return this.#put(datastore, documents, () => undefined, deadline)
  }

  /** @throws NotFound */
  async get(datastore: Datastore, key: string): Promise<Datasource> {
    const table = await this.#parts.fragments.of(datastore.id)
    return datasourceOf(await table.read(keyedId(datastore.id, key)), 'document', key)
  }

  /** Deletes a document and returns its last state. @throws NotFound, PreconditionFailed */
  async remove(
    datastore: Datastore,
    key: string,
    precondition: Precondition,
    deadline: Deadline,
  ): Promise<Datasource> {
    const { writes } = await this.#parts.fragments.of(datastore.id)
    const id = keyedId(datastore.id, key)
    return datasourceOf(await writes.remove(id, deadline, checkOf(precondition)), 'document', key)
  }

  async #put(
    datastore: Datastore,
    documents: NewDocument[],
    check: Check,
    deadline: Deadline,
  ): Promise<Put[]> {
    const { id: datastoreId, value } = datastore
    const { embedder, ...parts } = this.#parts
    const labels = await measureLabels(documents, value.fragmentLength)
    const ids = documents.map(({ key }) => idOf(datastoreId, key))
    const table = await parts.fragments.of(datastoreId)
    const stored = embedder.isModel ? await table.infos(ids) : undefined
    const before = async (index: number) =>
      stored?.has(ids[index]!) ? (await table.vectors(ids[index]!))?.vectors : undefined
    const fragments = await embeddedFragments(datastore, embedder, documents, deadline, before)
    const identityOf = ({ key = null }: NewDocument, index: number) => {
      const id = ids[index]!
      return { id, key, batch: batchOf(id), digest: null }
    }
    const prepared = await toStored(documents, identityOf, fragments)
    const put = () => table.writes.put(prepared, check, deadline)
    return parts.labels.write(prepared, labels, put)
  }
}

const idOf = (datastoreId: string, key: string | null | undefined): string =>
  typeof key === 'string' ? keyedId(datastoreId, key) : documentId(newId('src'), 0)
