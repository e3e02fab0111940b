import type { Embedder } from '../embeddings/embedder.ts'
import { isBuiltIn } from '../embeddings/hashing-embedder.ts'
import { IdempotencyMismatch, NotFound, nothingStored } from '../errors.ts'
import type { Deadline } from '../scheduling/deadline.ts'
import { TimeSlice } from '../scheduling/time-slice.ts'
import type { Fragments } from '../store/fragments/fragments.ts'
import type {
  Document,
  DocumentHead,
  DocumentVersion,
  Fragment,
  StoredVersion,
} from '../store/fragments/rows.ts'
import { splitText } from '../text/text-splitter.ts'
import type { Datastore } from './datastores.ts'
import { customIdsOf, type Metadata, type NewDocument, sourceOf, wholeText } from './documents.ts'
import { embedFor } from './embedding.ts'
import { digestAsSent, digestOf, repeatableBatch } from './idempotency.ts'
import { batchOf, documentId, newId } from './ids.ts'
import { withNewWords, wordsOf } from './fragment-words.ts'

/** Documents of one upsert; the digest is null where it cannot be repeated. */
type Upsert = {
  datastore: Datastore
  documents: NewDocument[]
  batch: string
  digest: string | null
}

/** Document → fragments → words and vectors → store. */
export class Ingestion {
  readonly #fragments: Fragments
  readonly #embedder: Embedder

  constructor(fragments: Fragments, embedder: Embedder) {
    this.#fragments = fragments
    this.#embedder = embedder
  }

  /**
   * Stores new documents, all or none, and returns their ids in the order sent; once for one key.
   * @throws IdempotencyMismatch, EmbeddingModelMismatch, EmbeddingFailed, EmbeddingTimeout,
   * StorageFull, NotFound when the datastore is deleted meanwhile
   */
  async upsert(
    datastore: Datastore,
    documents: NewDocument[],
    deadline: Deadline,
    idempotencyKey?: string,
  ): Promise<string[]> {
    const { writes } = await this.#fragments.of(datastore.id)
    if (idempotencyKey !== undefined) {
      const batch = repeatableBatch(datastore, idempotencyKey)
      const digest = await digestOf(documents)
      await this.#upsertOnce({ datastore, documents, batch, digest }, deadline)
      return documents.map((_, index) => documentId(batch, index))
    }
    if (documents.length === 0) return []
    const upsert = { datastore, documents, batch: newId('src'), digest: null }
    const prepared = await this.#prepare(upsert, deadline)
    await writes.add(prepared, deadline)
    return prepared.map(({ id }) => id)
  }

  async #upsertOnce(upsert: Upsert, deadline: Deadline): Promise<void> {
    const { datastore, documents, batch } = upsert
    const { writes } = await this.#fragments.of(datastore.id)
    const isEmpty = documents.length === 0
    // Vectors that cost money are not made twice; to make our own is less work than to ask.
    const isAsked = isEmpty || this.#embedder.isRemote
    if (isAsked && !(await isNew(upsert, await writes.digestOf(batch)))) return
    if (isEmpty) return
    const prepared = await this.#prepare(upsert, deadline)
    await isNew(upsert, await writes.addOnce(prepared, deadline))
  }

  /**
   * Replaces a datasource in one step, and embeds only fragments whose text is new. What is left out
   * stays as it is at the moment of the replacement.
   * @throws NotFound when there is no such datasource; as `upsert`
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
    const [fragments = []] = await this.#fragmentsOf(datastore, [text], deadline, known)
    const replacementOf = (current: DocumentHead): Document => ({
      id,
      batch: batchOf(id),
      name: name ?? current.name,
      ...fromMetadata(metadata === undefined ? parseMetadata(current.metadata) : metadata),
      digest: current.digest,
      fragments,
    })
    if (!(await table.writes.replace(id, replacementOf, fragments.length, deadline))) {
      throw new NotFound('datasource', id)
    }
  }

  /**
   * Stored documents with what is made of their texts today; all else stays. A provider's fragments and
   * vectors stay too, so it is never called; this has to have the built-in embedder.
   */
  async reanalyse(
    datastore: Datastore,
    documents: StoredVersion[],
    signal: AbortSignal,
  ): Promise<DocumentVersion[]> {
    if (!isBuiltIn(datastore.value.embeddingModel)) return withNewWords(documents, signal)
    const { model: embeddingModel } = this.#embedder
    const renewed = { ...datastore, value: { ...datastore.value, embeddingModel } }
    const texts = documents.map(({ fragments }) => wholeText(fragments))
    const made = await this.#fragmentsOf(renewed, texts, { signal })
    return documents.map((document, index) => ({ ...document, fragments: made[index]! }))
  }

  async #prepare(
    { datastore, documents, batch, digest }: Upsert,
    deadline: Deadline,
  ): Promise<Document[]> {
    const texts = documents.map(({ text }) => text)
    const contents = await this.#fragmentsOf(datastore, texts, deadline)
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
    { signal }: Pick<Deadline, 'signal'>,
    known: ReadonlyMap<string, Float32Array> = new Map(),
  ): Promise<Fragment[][]> {
    const split = await splitAll(texts, signal)
    const distinct = new Set(split.flat().map(({ text }) => text))
    const unknown = [...distinct].filter((text) => !known.has(text))
    const made = await embedFor(datastore, this.#embedder, unknown, signal).catch(
      (error: unknown) => {
        throw nothingStored(error)
      },
    )
    const vectors = new Map(known)
    unknown.forEach((text, index) => vectors.set(text, made[index]!))
    return split.map((fragments) =>
      fragments.map((fragment) => ({ ...fragment, vector: vectors.get(fragment.text)! })),
    )
  }
}

/** Whether nothing is stored under the upsert's key. @throws IdempotencyMismatch where others are */
async function isNew({ documents, digest }: Upsert, stored: string | undefined): Promise<boolean> {
  if (stored === undefined) return true
  if (stored !== digest && stored !== (await digestAsSent(documents))) {
    throw new IdempotencyMismatch()
  }
  return false
}

type SplitFragment = Omit<Fragment, 'vector'>

async function splitAll(texts: string[], signal: AbortSignal): Promise<SplitFragment[][]> {
  const slice = new TimeSlice()
  const split: SplitFragment[][] = []
  for (const whole of texts) {
    const fragments: SplitFragment[] = []
    for (const { start, end } of splitText(whole)) {
      const text = whole.slice(start, end)
      fragments.push({ offset: start, text, words: wordsOf(text) })
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
