import type { Query, Table } from '@lancedb/lancedb'
import { NotFound } from '../errors.ts'
import { translated } from './faults.ts'
import { after, and, equal, type Filter, type Position } from './filter.ts'
import {
  type Hit,
  hitColumns,
  type HitRow,
  inRank,
  type SearchFilters,
  toConditions,
  toHit,
} from './hits.ts'
import {
  type Document,
  type DocumentHead,
  type DocumentVersion,
  type Fragment,
  headColumns,
  type HeadRow,
  toHead,
  toTable,
} from './rows.ts'
import { WriteQueue } from './write-queue.ts'

/** The documents of one datastore. Every write is one commit: readers see all of it or nothing. */
export class FragmentTable {
  readonly #table: Table
  readonly #datastoreId: string
  readonly #writes = new WriteQueue()
  #dropped = false

  constructor(table: Table, datastoreId: string) {
    this.#table = table
    this.#datastoreId = datastoreId
  }

  /** Adds new documents, all or none. */
  add(documents: Document[], dimensions: number): Promise<void> {
    return this.#writes.run(async (stamp) => {
      const now = stamp()
      const times = { revision: 1, createdAt: now, updatedAt: now }
      await this.#table.add(
        toTable(
          documents.map((document) => ({ ...document, ...times })),
          dimensions,
        ),
      )
    })
  }

  /**
   * Puts a document in the place of the one that was read as `current`, in one commit.
   * @returns false when that was replaced or deleted first
   */
  replace(current: DocumentHead, document: Document, dimensions: number): Promise<boolean> {
    return this.#writes.run(async (stamp) => {
      if (!(await this.#isCurrent(current))) return false
      const version: DocumentVersion = {
        ...document,
        revision: current.revision + 1,
        createdAt: current.createdAt,
        updatedAt: stamp(),
      }
      await this.#table
        .mergeInsert('id')
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .whenNotMatchedBySourceDelete({ where: equal('datasource_id', current.id) })
        .execute(toTable([version], dimensions))
      return true
    })
  }

  /** Deletes the document that was read as `current`; false when that was changed or deleted first. */
  remove(current: DocumentHead): Promise<boolean> {
    return this.#writes.run(async () => {
      const { numDeletedRows } = await this.#table.delete(
        and(equal('datasource_id', current.id), equal('revision', current.revision)),
      )
      return numDeletedRows > 0
    })
  }

  async head(datasourceId: string): Promise<DocumentHead | undefined> {
    const [row] = await this.#rows<HeadRow>((query) =>
      query.where(firstFragmentOf(datasourceId)).select(headColumns).limit(1),
    )
    return row && toHead(row)
  }

  /** A document's head and its fragments in order, all of one moment. */
  async read(
    datasourceId: string,
  ): Promise<{ head: DocumentHead; fragments: Fragment[] } | undefined> {
    const rows = await this.#rows<HeadRow & StoredFragment>((query) =>
      query
        .where(equal('datasource_id', datasourceId))
        .select([...headColumns, 'position', 'offset', 'text', 'vector']),
    )
    rows.sort((a, b) => a.position - b.position)
    const first = rows[0]
    return first && { head: toHead(first), fragments: rows.map(toFragment) }
  }

  /** Documents, oldest first, from after `position`. */
  async list(limit: number, position?: Position, source?: string): Promise<DocumentHead[]> {
    const filters = [
      equal('position', 0),
      ...(source === undefined ? [] : [equal('source', source)]),
      ...(position ? [after('datasource_id', position)] : []),
    ]
    const rows = await this.#rows<HeadRow>((query) =>
      query
        .where(and(...filters))
        .orderBy([{ columnName: 'created_at' }, { columnName: 'datasource_id' }])
        .select(headColumns)
        .limit(limit),
    )
    return rows.map(toHead)
  }

  async counts(): Promise<{ datasources: number; fragments: number }> {
    const [datasources, fragments] = await this.#guarded(
      Promise.all([this.#table.countRows(equal('position', 0)), this.#table.countRows()]),
    )
    return { datasources, fragments }
  }

  /** The `limit` fragments nearest to the vector among those the filters match, best first. */
  async search(vector: Float32Array, limit: number, filters: SearchFilters): Promise<Hit[]> {
    const conditions = toConditions(filters)
    const rows = await this.#rows<HitRow>((query) => {
      const nearest = query.nearestTo(vector).distanceType('cosine').limit(limit)
      const filtered = conditions.length > 0 ? nearest.where(and(...conditions)) : nearest
      return filtered.select(hitColumns)
    })
    return rows.map(toHit).toSorted(inRank)
  }

  /** Lets running writes finish and refuses all others, for the datastore is going away. */
  async refuseWrites(): Promise<void> {
    this.#dropped = true
    this.#writes.close(() => new NotFound('datastore', this.#datastoreId))
    await this.#writes.idle()
  }

  idle(): Promise<void> {
    return this.#writes.idle()
  }

  async #isCurrent({ id, revision }: DocumentHead): Promise<boolean> {
    const row = and(firstFragmentOf(id), equal('revision', revision))
    return (await this.#table.countRows(row)) === 1
  }

  #rows<Row>(build: (query: Query) => { toArray(): Promise<Row[]> }): Promise<Row[]> {
    return this.#guarded(build(this.#table.query()).toArray())
  }

  /** A read of a table that was dropped under it fails in many ways; all of them mean not found. */
  async #guarded<T>(read: Promise<T>): Promise<T> {
    try {
      return await translated(read)
    } catch (error) {
      throw this.#dropped ? new NotFound('datastore', this.#datastoreId) : error
    }
  }
}

type StoredFragment = {
  position: number
  offset: number
  text: string
  vector: { toArray(): Float32Array }
}

const firstFragmentOf = (datasourceId: string): Filter => equal('id', `${datasourceId}#0`)

const toFragment = ({ offset, text, vector }: StoredFragment): Fragment => ({
  offset,
  text,
  vector: vector.toArray(),
})
