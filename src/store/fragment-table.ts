import type { Query, VectorQuery } from '@lancedb/lancedb'
import type { Table as ArrowTable } from 'apache-arrow'
import { NotFound } from '../errors.ts'
import { BatchSet } from './batch-set.ts'
import { readRows, readUtf8 } from './columns.ts'
import { after, and, equal, isSet, oneOf, type Position } from './filter.ts'
import { FragmentWrites } from './fragment-writes.ts'
import { type Found, foundColumns, type FoundRow, type SearchFilters } from './hits.ts'
import { toConditions, toFound } from './hits.ts'
import type { OpenTable } from './open-table.ts'
import {
  type DocumentHead,
  headColumns,
  type HeadRow,
  type Piece,
  type StoredDocument,
  toHead,
} from './rows.ts'
import type { WordCounts } from './word-counts.ts'
import { anyOf } from './word-index.ts'
import { WordKeeper } from './word-keeper.ts'

/** The documents of one datastore. A reader sees all of a write or nothing of it. */
export class FragmentTable {
  readonly writes: FragmentWrites
  readonly #table: OpenTable
  readonly #datastoreId: string
  readonly #keeper: WordKeeper
  /** Of the upserts that can be repeated; read when the first one comes. */
  #batches: BatchSet | undefined
  #dropped = false

  constructor(table: OpenTable, datastoreId: string) {
    this.#table = table
    this.#datastoreId = datastoreId
    this.#keeper = new WordKeeper({
      isShared: table.isShared,
      between: (begin) => this.writes.between(begin),
      scan: (each) => this.#scanWords(each),
    })
    const view = {
      documents: (ids: string[]) => this.#documents(ids),
      digests: (batches: string[]) => this.#digestsOf(batches),
      words: (ids: string[]) => this.#wordsOf(ids),
    }
    this.writes = new FragmentWrites(table, view, this.#keeper)
  }

  /** A document's head and its fragments in order, all of one moment; without their vectors. */
  async read(id: string): Promise<StoredDocument | undefined> {
    return (await this.#documents([id])).get(id)
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
      this.#table.read((table) =>
        Promise.all([table.countRows(equal('position', 0)), table.countRows()]),
      ),
    )
    return { datasources, fragments }
  }

  /** The `limit` fragments nearest to the vector among those the filters match. */
  nearest(vector: Float32Array, limit: number, filters: SearchFilters): Promise<Found[]> {
    return this.#find(filters, limit, '_distance', (query) =>
      query.nearestTo(vector).distanceType('cosine'),
    )
  }

  /**
   * The `limit` fragments that hold most of the tokens among those the filters match; see `anyOf`.
   * They are to be ranked by `wordCounts`: the index's own order is of another moment for what was
   * written last.
   */
  holding(tokens: string, limit: number, filters: SearchFilters): Promise<Found[]> {
    return this.#find(filters, limit, '_score', (query) => query.fullTextSearch(anyOf(tokens)))
  }

  /** How many fragments hold which token, all that is written included. */
  wordCounts(): Promise<WordCounts> {
    return this.#guarded(this.#keeper.counts())
  }

  /** Lets running writes finish and refuses all others, for the datastore is going away. */
  async refuseWrites(): Promise<void> {
    this.#dropped = true
    await this.writes.refuse(() => new NotFound('datastore', this.#datastoreId))
  }

  async #documents(ids: string[]): Promise<Map<string, StoredDocument>> {
    if (ids.length === 0) return new Map()
    const rows = await this.#rows<HeadRow & Piece & { position: number }>((query) =>
      query
        .where(oneOf('datasource_id', ids))
        .select([...headColumns, 'position', 'offset', 'text']),
    )
    rows.sort((a, b) => a.position - b.position)
    const byId = Map.groupBy(rows, (row) => row.datasource_id)
    return new Map(
      Array.from(byId, ([id, pieces]) => [id, { head: toHead(pieces[0]!), pieces }] as const),
    )
  }

  async #digestsOf(batches: string[]): Promise<Map<string, string>> {
    const asked = await this.#possible(batches)
    if (asked.length === 0) return new Map()
    const rows = await this.#rows<{ batch: string; digest: string }>((query) =>
      query.where(oneOf('batch', asked)).select(['batch', 'digest']),
    )
    return new Map(rows.map(({ batch, digest }) => [batch, digest]))
  }

  /** Those of the batches that the table may have. Whoever asks is about to add them. */
  async #possible(batches: string[]): Promise<string[]> {
    if (this.#table.isShared || batches.length === 0) return batches
    this.#batches ??= await this.#keyedBatches()
    const known = this.#batches
    const possible = batches.filter((batch) => known.mayHave(batch))
    for (const batch of batches) known.add(batch)
    return possible
  }

  async #keyedBatches(): Promise<BatchSet> {
    const batches = new BatchSet()
    const isKeyed = and(equal('position', 0), isSet('digest'))
    await this.#table.read(async (table) => {
      for await (const part of table.query().where(isKeyed).select(['batch'])) {
        for (const { batch } of readRows<{ batch: string }>(part)) batches.add(batch)
      }
    })
    return batches
  }

  async #find(
    filters: SearchFilters,
    limit: number,
    measure: string,
    search: (query: Query) => VectorQuery | Query,
  ): Promise<Found[]> {
    const conditions = toConditions(filters)
    const rows = await this.#rows<FoundRow>((query) => {
      const limited = search(query).limit(limit)
      const filtered = conditions.length > 0 ? limited.where(and(...conditions)) : limited
      // LanceDB warns of every search that leaves out what it measured.
      return filtered.select([...foundColumns, measure])
    })
    return rows.map(toFound)
  }

  async #wordsOf(ids: string[]): Promise<Uint8Array[]> {
    const words = await this.#guarded(
      this.#table.read((table) =>
        table.query().where(oneOf('datasource_id', ids)).select(['words']).toArrow(),
      ),
    )
    return readUtf8(words.getChild('words')!)
  }

  #scanWords(each: (batch: Uint8Array[]) => Promise<void>): Promise<void> {
    return this.#table.read(async (table) => {
      for await (const batch of table.query().select(['words'])) {
        await each(readUtf8(batch.getChild('words')!))
      }
    })
  }

  #rows<Row>(build: (query: Query) => ArrowQuery): Promise<Row[]> {
    return this.#guarded(
      this.#table.read((table) => build(table.query()).toArrow()).then(readRows<Row>),
    )
  }

  /** A read of a table that was dropped under it fails in many ways; all of them mean not found. */
  async #guarded<T>(read: Promise<T>): Promise<T> {
    try {
      return await read
    } catch (error) {
      throw this.#dropped ? new NotFound('datastore', this.#datastoreId) : error
    }
  }
}

type ArrowQuery = { toArrow(): Promise<ArrowTable> }
