import type { Deadline } from '../process/deadline.ts'
import { checkVectors, type Embedder } from '../embeddings/embedder.ts'
import type { Prefixes } from '../embeddings/prefixes.ts'
import { DocumentsUnreadable, NotFound, orUndefined } from '../errors/errors.ts'
import type { Fragments, Records } from '../store/store.ts'
import type { PageCursor, Stored } from '../store/types.ts'
import { newId, orNotFound } from './ids.ts'
import { isDeleting, pendingIn, readPending, toPending } from './pending.ts'
import { type Page, readPage } from './list-page.ts'

export type DatastoreFields = {
  name: string
  /** Older datastores have none. */
  description?: string
  embeddingModel: string
  /** Of its vectors. Older datastores have none. */
  prefixes?: Prefixes | undefined
  dimensions: number
  /** In UTF-16 code units. */
  fragmentLength: number
}
type NewDatastore = Pick<DatastoreFields, 'name' | 'description' | 'fragmentLength'>
export type Datastore = Stored<DatastoreFields>

/** Records before format 6 lack `fragmentLength`. */
export const isValidDatastore = (fields: DatastoreFields): boolean =>
  typeof fields.name === 'string' &&
  ['string', 'undefined'].includes(typeof fields.description) &&
  typeof fields.embeddingModel === 'string' &&
  isPositive(fields.dimensions) &&
  hasWholePrefixes(fields) &&
  (!('fragmentLength' in fields) || isPositive(fields.fragmentLength))

const hasWholePrefixes = ({ prefixes }: DatastoreFields): boolean =>
  prefixes === undefined ||
  (typeof prefixes.query === 'string' && typeof prefixes.document === 'string')

const isPositive = (length: number): boolean => Number.isInteger(length) && length > 0

export type CountedDatastore = Datastore & { datasourceCount: number; fragmentCount: number }

/** The datastores of all workspaces. Only this class checks a datastore's workspace. */
export class Datastores {
  readonly #records: Records<DatastoreFields>
  readonly #fragments: Fragments
  readonly #embedder: Embedder

  constructor(records: Records<DatastoreFields>, fragments: Fragments, embedder: Embedder) {
    this.#records = records
    this.#fragments = fragments
    this.#embedder = embedder
  }

  /** Keeps the record pending until the table exists, for `recover`. @throws EmbeddingFailed, StorageFull */
  async create(
    workspace: string,
    { name, description, fragmentLength }: NewDatastore,
    deadline: Deadline,
  ): Promise<CountedDatastore> {
    const id = newId('dst')
    const { model, prefixes } = this.#embedder
    const dimensions = await this.#vectorLength(deadline.signal, workspace)
    deadline.beginWrite()
    const pending = await this.#records.insert(id, toPending({ doing: 'making', workspace }), {
      name,
      ...(description !== undefined && { description }),
      embeddingModel: model,
      ...(prefixes && { prefixes }),
      dimensions,
      fragmentLength,
    })
    if (!pending) throw new Error('An id was made twice.')
    await this.#fragments.create(id, dimensions, { model, prefixes })
    const datastore = await this.#records.move(pending, workspace)
    if (!datastore) throw new Error('A pending record was taken by somebody else.')
    return { ...datastore, datasourceCount: 0, fragmentCount: 0 }
  }

  /** The caller's datastore. @throws NotFound, even if it is another workspace's */
  async require(workspace: string, id: string): Promise<Datastore> {
    return orNotFound(await this.#records.recall(id, workspace), 'datastore', id)
  }

  async get(workspace: string, id: string): Promise<CountedDatastore> {
    return this.#counted(await this.require(workspace, id))
  }

  /** The oldest, or the oldest after `position`. */
  first(workspace: string, limit: number, position?: PageCursor): Promise<Datastore[]> {
    return this.#records.list(workspace, limit, position)
  }

  /** Leaves out datastores that are deleted meanwhile. */
  async list(
    workspace: string,
    limit: number,
    position?: PageCursor,
  ): Promise<Page<CountedDatastore>> {
    const page = await readPage(limit, (rows) => this.#records.list(workspace, rows, position))
    const counted = await Promise.all(
      page.items.map((datastore) => this.#countedOrEmpty(datastore).catch(orUndefined(NotFound))),
    )
    return { ...page, items: counted.filter((datastore) => datastore !== undefined) }
  }

  /** Changes these fields, and retries after a lost race. @throws NotFound, StorageFull */
  async update(
    workspace: string,
    id: string,
    fields: Partial<Pick<DatastoreFields, 'name' | 'description'>>,
    deadline: Deadline,
  ): Promise<CountedDatastore> {
    for (;;) {
      const datastore = await this.#current(workspace, id)
      const value = { ...datastore.value, ...fields }
      const updated = await this.#records.replace(datastore, value, { deadline })
      if (updated) return this.#countedOrEmpty(updated)
    }
  }

  /** Deletes a datastore and returns its last state. Only one caller succeeds. @throws NotFound */
  async remove(workspace: string, id: string, deadline: Deadline): Promise<CountedDatastore> {
    for (;;) {
      const datastore = await this.#countedOrEmpty(await this.#current(workspace, id))
      const deleting = toPending({ doing: 'deleting', workspace })
      const pending = await this.#records.move(datastore, deleting, deadline)
      // It was updated meanwhile, or deleted.
      if (!pending) continue
      await this.#fragments.drop(id)
      // Another server may be writing to the table: `recover` drops what that leaves.
      if (!this.#fragments.areShared) await this.#records.remove(pending)
      return datastore
    }
  }

  async isDeleted(id: string): Promise<boolean> {
    const record = await this.#records.get(id)
    return !record || isDeleting(record.workspace)
  }

  /**
   * Finishes or undoes changes that a crash interrupted, or those begun before a time. A table with
   * documents exists, whatever its record says.
   */
  async recover(before?: Date): Promise<void> {
    for (const record of await pendingIn(this.#records, before)) {
      const pending = readPending(record.workspace)
      if (pending?.doing === 'making' && (await this.#fragments.hasRows(record.id))) {
        await this.#records.move(record, pending.workspace)
      } else if (pending) {
        await this.#fragments.dropClosed(record.id)
        await this.#records.remove(record)
      }
    }
  }

  /** As `require`, but never older than another server's last change. @throws NotFound */
  async #current(workspace: string, id: string): Promise<Datastore> {
    return orNotFound(await this.#records.get(id, workspace), 'datastore', id)
  }

  async #vectorLength(signal: AbortSignal, workspace: string): Promise<number> {
    const { dimensions } = this.#embedder
    if (dimensions !== undefined) return dimensions
    const vectors = await this.#embedder.embed(['How long is a vector?'], signal, workspace)
    checkVectors(vectors, 1, vectors[0]?.length ?? 0)
    return vectors[0]!.length
  }

  /** @throws NotFound if it is deleted meanwhile, DocumentsUnreadable if its table is missing or damaged */
  async #counted(datastore: Datastore): Promise<CountedDatastore> {
    const { id, workspace } = datastore
    try {
      const table = await this.#fragments.of(id)
      const { datasources, fragments } = await table.counts()
      return { ...datastore, datasourceCount: datasources, fragmentCount: fragments }
    } catch (error) {
      const isMissing = error instanceof NotFound && (await this.#records.get(id, workspace))
      throw isMissing ? new DocumentsUnreadable(id, error) : error
    }
  }

  /** Lets a damaged datastore be listed and deleted. */
  async #countedOrEmpty(datastore: Datastore): Promise<CountedDatastore> {
    return this.#counted(datastore).catch((error: unknown) => {
      if (!(error instanceof DocumentsUnreadable)) throw error
      return { ...datastore, datasourceCount: 0, fragmentCount: 0 }
    })
  }
}
