import type { Embedder } from '../embeddings/embedder.ts'
import type { Deadline } from '../scheduling/deadline.ts'
import { IdempotencyMismatch, NotFound, nothingStored } from '../errors.ts'
import type { Fragments } from '../store/fragments/fragments.ts'
import type { Document, DocumentHead, Fragment } from '../store/fragments/rows.ts'
import { TimeSlice } from '../scheduling/time-slice.ts'
import type { Datastore } from './datastores.ts'
import { customIdsOf, type Metadata, type NewDocument, sourceOf } from './documents.ts'
import { batchOf, documentId, newId } from './ids.ts'
import { digestAsSent, digestOf, repeatableBatch } from './idempotency.ts'
import { tokensOf } from '../text/tokens.ts'
import { splitText } from '../text/text-splitter.ts'
import { embedFor } from './embedding.ts'

/** Document → fragments → words and vectors → store. */
export class Ingestion {
  readonly #fragments: Fragments
  readonly #embedder: Embedder

  constructor(fragments: Fragments, embedder: Embedder) {
    this.#fragments = fragments
    this.#embedder = embedder
  }

  /**
   * Stores new documents, all or none, and returns their ids in the order sent. With an idempotency
   * key it can be repeated: the ids are made from the key, and documents that are there are not
   * stored again.
   * @throws IdempotencyMismatch, EmbeddingModelMismatch, EmbeddingFailed, EmbeddingTimeout,
   * StorageFull, NotFound when the datastore is deleted meanwhile
   */
  async upsert(
    datastore: Datastore,
    documents: NewDocument[],
    deadline: Deadline,
    idempotencyKey?: string,
  ): Promise<string[]> {
    const table = await this.#fragments.of(datastore.id)
    if (idempotencyKey === undefined) {
      if (documents.length === 0) return []
      const prepared = await this.#prepare(datastore, documents, newId('src'), null, deadline)
      await table.writes.add(prepared, deadline)
      return prepared.map(({ id }) => id)
    }
    const batch = repeatableBatch(datastore, idempotencyKey)
    const digest = await digestOf(documents)
    const isNew = async (stored: string | undefined): Promise<boolean> => {
      if (stored === undefined) return true
      if (stored !== digest && stored !== (await digestAsSent(documents))) {
        throw new IdempotencyMismatch()
      }
      return false
    }
    if (documents.length === 0) {
      await isNew(await table.writes.digestOf(batch))
      return []
    }
    // What another is paid for is not done again; our own work is less than the question.
    if (!this.#embedder.isRemote || (await isNew(await table.writes.digestOf(batch)))) {
      const prepared = await this.#prepare(datastore, documents, batch, digest, deadline)
      await isNew(await table.writes.addOnce(prepared, deadline))
    }
    return documents.map((_, index) => documentId(batch, index))
  }

  /**
   * Replaces a datasource in one step. Fragments whose text stays are not embedded again; what is
   * left out stays as it is at the moment of the replacement.
   * @throws NotFound when there is no such datasource; EmbeddingModelMismatch, EmbeddingFailed,
   * EmbeddingTimeout, StorageFull
   */
  async update(
    datastore: Datastore,
    id: string,
    { text, name, metadata }: NewDocument,
    deadline: Deadline,
  ): Promise<void> {
    const table = await this.#fragments.of(datastore.id)
    const known = await table.vectors(id)
    if (known.size === 0) throw new NotFound('datasource', id)
    const [fragments] = await this.#fragmentsOf(datastore, [text], deadline, known)
    const replacementOf = (current: DocumentHead): Document => ({
      id,
      batch: batchOf(id),
      name: name ?? current.name,
      ...fromMetadata(metadata === undefined ? parseMetadata(current.metadata) : metadata),
      digest: current.digest,
      fragments: fragments!,
    })
    if (!(await table.writes.replace(id, replacementOf, fragments!.length, deadline))) {
      throw new NotFound('datasource', id)
    }
  }

  async #prepare(
    datastore: Datastore,
    documents: NewDocument[],
    batch: string,
    digest: string | null,
    deadline: Deadline,
  ): Promise<Document[]> {
    const contents = await this.#fragmentsOf(
      datastore,
      documents.map(({ text }) => text),
      deadline,
    )
    return documents.map(({ name = '', metadata = null }, index) => ({
      id: documentId(batch, index),
      batch,
      name,
      ...fromMetadata(metadata),
      digest,
      fragments: contents[index]!,
    }))
  }

  /** The fragments of each text, embedded all together but for those whose vector is known. */
  async #fragmentsOf(
    datastore: Datastore,
    texts: string[],
    deadline: Deadline,
    known: ReadonlyMap<string, Float32Array> = new Map(),
  ): Promise<Fragment[][]> {
    const split = await splitAll(texts, deadline.signal)
    const unknown = [...new Set(split.flat().map((fragment) => fragment.text))].filter(
      (text) => !known.has(text),
    )
    const vectors = await embedFor(datastore, this.#embedder, unknown, deadline.signal).catch(
      (error: unknown) => {
        throw nothingStored(error)
      },
    )
    const all = new Map([
      ...known,
      ...unknown.map((text, index) => [text, vectors[index]!] as const),
    ])
    return split.map((fragments) =>
      fragments.map((fragment) => ({ ...fragment, vector: all.get(fragment.text)! })),
    )
  }
}

async function splitAll(
  texts: string[],
  signal: AbortSignal,
): Promise<Omit<Fragment, 'vector'>[][]> {
  const slice = new TimeSlice()
  const split: Omit<Fragment, 'vector'>[][] = []
  for (const text of texts) {
    const fragments: Omit<Fragment, 'vector'>[] = []
    for (const { start, end } of splitText(text)) {
      const piece = text.slice(start, end)
      fragments.push({ offset: start, text: piece, words: Buffer.from(tokensOf(piece)) })
      await slice.pause()
      signal.throwIfAborted()
    }
    split.push(fragments)
  }
  return split
}

const fromMetadata = (metadata: Metadata): Pick<Document, 'metadata' | 'source' | 'customIds'> => ({
  metadata: metadata && JSON.stringify(metadata),
  source: sourceOf(metadata),
  customIds: customIdsOf(metadata),
})

const parseMetadata = (json: string | null): Metadata => (json === null ? null : JSON.parse(json))
