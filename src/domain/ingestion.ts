import { checkVectors, type Embedder } from '../embeddings/embedder.ts'
import { NotFound } from '../errors.ts'
import type { Fragments } from '../store/fragments.ts'
import type { Document, Fragment } from '../store/rows.ts'
import { TimeSlice } from '../time-slice.ts'
import type { Datastores } from './datastores.ts'
import { newId } from './ids.ts'
import { customIdsOf, type Metadata, sourceOf } from './metadata.ts'
import { splitText } from './text-splitter.ts'

/** A document as sent: an absent name or metadata is none when new, and stays as it was on update. */
export type NewDocument = { text: string; name?: string; metadata?: Metadata }

type PlainFragment = Omit<Fragment, 'vector'>

/** Document → fragments → vectors → store. */
export class Ingestion {
  readonly #datastores: Datastores
  readonly #fragments: Fragments
  readonly #embedder: Embedder

  constructor(datastores: Datastores, fragments: Fragments, embedder: Embedder) {
    this.#datastores = datastores
    this.#fragments = fragments
    this.#embedder = embedder
  }

  /**
   * Stores new documents, all or none, and returns their ids in the order sent.
   * @throws NotFound when there is no such datastore, StorageFull
   */
  async upsert(
    workspace: string,
    datastoreId: string,
    documents: NewDocument[],
  ): Promise<string[]> {
    await this.#datastores.require(workspace, datastoreId)
    if (documents.length === 0) return []
    const batch = newId('src')
    const ids = documents.map((_, index) => batch + String(index).padStart(3, '0'))
    const contents = await this.#fragmentsOf(documents.map(({ text }) => text))
    const table = await this.#fragments.of(datastoreId)
    await table.add(
      documents.map(({ name = '', metadata = null }, index) =>
        toDocument(ids[index]!, name, metadata, contents[index]!),
      ),
      this.#embedder.dimensions,
    )
    return ids
  }

  /**
   * Replaces a datasource in one step. Fragments whose text stays are not embedded again; an update
   * that loses a race is done again on what the winner left.
   * @throws NotFound when there is no such datastore or datasource, StorageFull
   */
  async update(
    workspace: string,
    datastoreId: string,
    id: string,
    { text, name, metadata }: NewDocument,
  ): Promise<void> {
    await this.#datastores.require(workspace, datastoreId)
    const table = await this.#fragments.of(datastoreId)
    for (;;) {
      const current = await table.read(id)
      if (!current) throw new NotFound('datasource', id)
      const { head, fragments } = current
      const known = new Map(fragments.map((fragment) => [fragment.text, fragment.vector]))
      const [content] = await this.#fragmentsOf([text], known)
      const kept: Metadata = head.metadata === null ? null : JSON.parse(head.metadata)
      const document = toDocument(
        id,
        name ?? head.name,
        metadata === undefined ? kept : metadata,
        content!,
      )
      if (await table.replace(head, document, this.#embedder.dimensions)) return
    }
  }

  /** The fragments of each text, embedded all together but for those whose vector is known. */
  async #fragmentsOf(
    texts: string[],
    known: ReadonlyMap<string, Float32Array> = new Map(),
  ): Promise<Fragment[][]> {
    const split = await splitAll(texts)
    const unknown = [...new Set(split.flat().map((fragment) => fragment.text))].filter(
      (text) => !known.has(text),
    )
    const vectors = await this.#embedder.embed(unknown)
    checkVectors(vectors, unknown.length, this.#embedder.dimensions)
    const all = new Map([
      ...known,
      ...unknown.map((text, index) => [text, vectors[index]!] as const),
    ])
    return split.map((fragments) =>
      fragments.map((fragment) => ({ ...fragment, vector: all.get(fragment.text)! })),
    )
  }
}

async function splitAll(texts: string[]): Promise<PlainFragment[][]> {
  const slice = new TimeSlice()
  const split: PlainFragment[][] = []
  for (const text of texts) {
    const fragments: PlainFragment[] = []
    for (const { start, end } of splitText(text)) {
      fragments.push({ offset: start, text: text.slice(start, end) })
      await slice.pause()
    }
    split.push(fragments)
  }
  return split
}

function toDocument(id: string, name: string, metadata: Metadata, fragments: Fragment[]): Document {
  return {
    id,
    name,
    metadata: metadata && JSON.stringify(metadata),
    source: sourceOf(metadata),
    customIds: customIdsOf(metadata),
    fragments,
  }
}
