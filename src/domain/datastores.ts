import type { Deadline } from '../deadline.ts'
import { checkVectors, type Embedder } from '../embeddings/embedder.ts'
import { NotFound } from '../errors.ts'
import type { Position } from '../store/filter.ts'
import type { Fragments } from '../store/fragments.ts'
import type { Stored } from '../store/record-rows.ts'
import type { Records } from '../store/records.ts'
import { newId } from './ids.ts'
import { type Page, readPage } from './page.ts'

/** What is kept of a datastore; how much it holds is counted when asked for. */
export type DatastoreFields = { name: string; embeddingModel: string; dimensions: number }
export type Datastore = Stored<DatastoreFields>
export type CountedDatastore = Datastore & { datasourceCount: number; fragmentCount: number }

/** The datastores of all workspaces, and the one door at which a workspace is checked. */
export class Datastores {
  readonly #records: Records<DatastoreFields>
  readonly #fragments: Fragments
  readonly #embedder: Embedder
  #dimensions: number | undefined

  constructor(records: Records<DatastoreFields>, fragments: Fragments, embedder: Embedder) {
    this.#records = records
    this.#fragments = fragments
    this.#embedder = embedder
    this.#dimensions = embedder.dimensions
  }

  /**
   * Makes the table first: a record without one would be a datastore that fails.
   * @throws EmbeddingFailed, EmbeddingTimeout, StorageFull
   */
  async create(workspace: string, name: string, deadline: Deadline): Promise<CountedDatastore> {
    const id = newId('dst')
    const { model } = this.#embedder
    const dimensions = await this.#vectorLength(deadline.signal)
    deadline.begin()
    await this.#fragments.create(id, dimensions)
    const datastore = await this.#records.insert(id, workspace, {
      name,
      embeddingModel: model,
      dimensions,
    })
    if (!datastore) throw new Error('An id was made twice.')
    return { ...datastore, datasourceCount: 0, fragmentCount: 0 }
  }

  /**
   * The caller's datastore of that id: whoever works on one gets it here.
   * @throws NotFound, also when it is another workspace's
   */
  async require(workspace: string, id: string): Promise<Datastore> {
    const datastore = await this.#records.recall(id)
    if (datastore?.workspace !== workspace) throw new NotFound('datastore', id)
    return datastore
  }

  /** @throws NotFound */
  async get(workspace: string, id: string): Promise<CountedDatastore> {
    return this.#counted(await this.require(workspace, id))
  }

  /** One page, oldest first. A datastore that is deleted meanwhile is left out. */
  async list(
    workspace: string,
    limit: number,
    position?: Position,
  ): Promise<Page<CountedDatastore>> {
    const page = await readPage(limit, (rows) => this.#records.list(workspace, rows, position))
    const counted = await Promise.all(
      page.items.map((datastore) => this.#countedIfThere(datastore)),
    )
    return { ...page, items: counted.filter((datastore) => datastore !== undefined) }
  }

  /**
   * Deletes a datastore with everything in it and returns it as it was.
   * @throws NotFound, also for all but one of those who delete it at once
   */
  async remove(workspace: string, id: string, deadline: Deadline): Promise<CountedDatastore> {
    const datastore = await this.get(workspace, id)
    if (!(await this.#records.remove(datastore, deadline))) throw new NotFound('datastore', id)
    await this.#fragments.drop(id)
    return datastore
  }

  /** Drops what a crash between two steps of `create` or `remove` left behind. */
  async dropOrphans(): Promise<void> {
    await this.#fragments.dropAllBut(await this.#records.ids())
  }

  /** Where it is not set, how long a vector is shows only in one. */
  async #vectorLength(signal: AbortSignal): Promise<number> {
    if (this.#dimensions === undefined) {
      const vectors = await this.#embedder.embed(['How long is a vector?'], signal)
      checkVectors(vectors, 1, vectors[0]?.length ?? 0)
      this.#dimensions = vectors[0]!.length
    }
    return this.#dimensions
  }

  async #counted(datastore: Datastore): Promise<CountedDatastore> {
    const table = await this.#fragments.of(datastore.id)
    const { datasources, fragments } = await table.counts()
    return { ...datastore, datasourceCount: datasources, fragmentCount: fragments }
  }

  async #countedIfThere(datastore: Datastore): Promise<CountedDatastore | undefined> {
    try {
      return await this.#counted(datastore)
    } catch (error) {
      if (error instanceof NotFound) return undefined
      throw error
    }
  }
}
