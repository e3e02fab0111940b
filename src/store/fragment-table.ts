import type { Query, Table } from '@lancedb/lancedb'
import type { Deadline } from '../deadline.ts'
import type { Table as ArrowTable } from 'apache-arrow'
import { NotFound } from '../errors.ts'
import { translated } from './faults.ts'
import { after, and, equal, type Position, startsWith } from './filter.ts'
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
  headColumns,
  type HeadRow,
  toHead,
  toTable,
} from './rows.ts'
import { readRows } from './columns.ts'
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
  add(documents: Document[], dimensions: number, deadline: Deadline): Promise<void> {
    return this.#writes.run(async (stamp) => {
      await this.#table.add(toTable(firstVersions(documents, stamp()), dimensions))
    }, deadline)
  }

  /**
   * Adds documents whose ids start with `prefix`, all or none, unless one of that prefix is there.
   * @returns the digest of those that are there now: these, or the ones that came first
   */
  addOnce(
    documents: Document[],
    prefix: string,
    dimensions: number,
    deadline: Deadline,
  ): Promise<string | undefined> {
    return this.#writes.run(async (stamp) => {
      const before = await this.digestOf(prefix)
      if (before !== undefined) return before
      await this.#table
        .mergeInsert('id')
        .whenNotMatchedInsertAll()
        .execute(toTable(firstVersions(documents, stamp()), dimensions))
      // Another process may have been first: its rows stand, and none of these.
      return this.digestOf(prefix)
    }, deadline)
  }

  /** The digest of the documents whose ids start with `prefix`, undefined when there is none. */
  async digestOf(prefix: string): Promise<string | undefined> {
    const [row] = await this.#rows<{ digest: string }>((query) =>
      query.where(startsWith('datasource_id', prefix)).select(['digest']).limit(1),
    )
    return row?.digest
  }

  /**
   * Puts another document in the place of the one of that id, in one commit. It is made from what
   * is there when its turn comes, so that no write between is lost.
   * @returns false when there is none
   */
  replace(
    id: string,
    replacementOf: (current: DocumentHead) => Document,
    dimensions: number,
    deadline: Deadline,
  ): Promise<boolean> {
    return this.#writes.run(async (stamp) => {
      const current = await this.#head(id)
      if (!current) return false
      const { createdAt } = current
      const version = { ...replacementOf(current), createdAt, updatedAt: stamp() }
      await this.#table
        .mergeInsert('id')
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .whenNotMatchedBySourceDelete({ where: equal('datasource_id', id) })
        .execute(toTable([version], dimensions))
      return true
    }, deadline)
  }

  /** Deletes the document of that id and returns it as it was, or undefined when there is none. */
  remove(id: string, deadline: Deadline): Promise<StoredDocument | undefined> {
    return this.#writes.run(async () => {
      const document = await this.read(id)
      if (document) await this.#table.delete(equal('datasource_id', id))
      return document
    }, deadline)
  }

  /** A document's head and its fragments in order, all of one moment; without their vectors. */
  async read(datasourceId: string): Promise<StoredDocument | undefined> {
    const rows = await this.#rows<HeadRow & Piece & { position: number }>((query) =>
      query
        .where(equal('datasource_id', datasourceId))
        .select([...headColumns, 'position', 'offset', 'text']),
    )
    rows.sort((a, b) => a.position - b.position)
    const first = rows[0]
    return first && { head: toHead(first), pieces: rows }
  }

  /** The vectors of a document's fragments by their text; empty when there is no such document. */
  async vectors(datasourceId: string): Promise<Map<string, Float32Array>> {
    const rows = await this.#rows<{ text: string; vector: { toArray(): Float32Array } }>((query) =>
      query.where(equal('datasource_id', datasourceId)).select(['text', 'vector']),
    )
    return new Map(rows.map(({ text, vector }) => [text, vector.toArray()]))
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

  async #head(datasourceId: string): Promise<DocumentHead | undefined> {
    const [row] = await this.#rows<HeadRow>((query) =>
      query
        .where(equal('id', `${datasourceId}#0`))
        .select(headColumns)
        .limit(1),
    )
    return row && toHead(row)
  }

  #rows<Row>(build: (query: Query) => ArrowQuery): Promise<Row[]> {
    return this.#guarded(
      build(this.#table.query())
        .toArrow()
        .then(readRows<Row>),
    )
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

/** A span of a document's text: where it starts, and what it says. */
export type Piece = { offset: number; text: string }

/** A document's head and the pieces its text is kept in, in order. */
export type StoredDocument = { head: DocumentHead; pieces: Piece[] }

type ArrowQuery = { toArrow(): Promise<ArrowTable> }

const firstVersions = (documents: Document[], now: string): DocumentVersion[] =>
  documents.map((document) => ({ ...document, createdAt: now, updatedAt: now }))
