import type { MetadataFilter } from '../../../generated/types.gen.ts'
import { NotFound } from '../../errors/errors.ts'
import type { Database } from '../database/database.ts'
import {
  documentsOf,
  infosOf,
  infoColumns,
  wholeDocument,
  type DatasourceInfo,
  type DocumentVersion,
  type StoredDocument,
} from './documents.ts'
import { after, and, equal, type PageCursor } from '../lance/filter.ts'
import { emptied } from './fragment-change.ts'
import { FragmentWrites } from './fragment-writes.ts'
import type { OpenTable } from '../table/open-table.ts'
import type { Found, Hit } from './found.ts'
import { FragmentSearch } from './fragment-search.ts'
import { metadataCondition } from './metadata-condition.ts'
import { type RecentBudget, RecentRows } from './recent-rows.ts'
import type { RowCache } from './row-cache.ts'
import type { SearchBudget } from './search-batch.ts'
import { type SampledTerms, TermSample } from './term-statistics.ts'
import { IndexKeeper } from '../table/index-keeper.ts'

export type DocumentFilter = { source?: string | undefined; metadata?: MetadataFilter | undefined }

type VectorRow = { name: string; metadata: string | null; text: string; vector: Float32Array }

export type Shared = { rows: RowCache; recent: RecentBudget; budget: SearchBudget }

/** The documents of one datastore. A reader sees all of a write or nothing of it. */
export class FragmentTable {
  readonly writes: FragmentWrites
  readonly #table: OpenTable
  readonly #datastoreId: string
  readonly #database: Database
  readonly #search: FragmentSearch
  readonly #sample: TermSample
  #dropped = false

  constructor(table: OpenTable, datastoreId: string, database: Database, shared: Shared) {
    this.#table = table
    this.#datastoreId = datastoreId
    this.#database = database
    const recent = new RecentRows(table.volume.isShared ? undefined : shared.recent)
    const indexes = new IndexKeeper(table, database.jobs, recent)
    const [rows, sample] = [shared.rows.forTable(), new TermSample(table)]
    const { budget } = shared
    const { indexed } = indexes
    this.#search = new FragmentSearch({ table, indexed, rows, recent, sample, budget })
    this.#sample = sample
    const guard = (write: Promise<void>) => this.#guarded(write)
    this.writes = new FragmentWrites(table, { database, indexes, recent, guard })
  }

  async read(id: string): Promise<StoredDocument | undefined> {
    return (await this.#guarded(documentsOf(this.#table, [id]))).get(id)
  }

  /** Datasources without their texts, by id. Missing ones are left out. */
  infos(ids: string[]): Promise<Map<string, DatasourceInfo>> {
    return this.#guarded(infosOf(this.#table, ids))
  }

  /** Reads a document to write it again. */
  async stored(id: string): Promise<DocumentVersion | undefined> {
    await this.#guarded(this.#table.catchUp())
    return this.#guarded(wholeDocument(this.#table, id))
  }

  /** Reads what an update keeps: name and metadata, and the vectors of fragments by their text. */
  async vectors(datasourceId: string) {
    await this.#guarded(this.#table.catchUp())
    const rows = await this.#rows<VectorRow>((query) =>
      query
        .where(equal('datasource_id', datasourceId))
        .select(['name', 'metadata', 'text', 'vector']),
    )
    if (!rows[0]) return undefined
    const metadata = rows.find((row) => row.metadata !== null)?.metadata ?? null
    const vectors = new Map(rows.map(({ text, vector }) => [text, vector]))
    return { name: rows[0].name, metadata, vectors }
  }

  /** Lists documents, oldest first, from after `position`. */
  list(
    limit: number,
    position?: PageCursor,
    wanted: DocumentFilter = {},
  ): Promise<DatasourceInfo[]> {
    const filters = [
      equal('position', 0),
      ...(wanted.source === undefined ? [] : [equal('source', wanted.source)]),
      ...(wanted.metadata ? [metadataCondition(wanted.metadata)] : []),
      ...(position ? [after('datasource_id', position)] : []),
    ]
    return this.#rows<DatasourceInfo>((query) =>
      query
        .where(and(...filters))
        .orderBy([{ columnName: 'created_at' }, { columnName: 'datasource_id' }])
        .select(infoColumns)
        .limit(limit),
    )
  }

  async counts(): Promise<{ datasources: number; fragments: number }> {
    const counted = [equal('position', 0), undefined, emptied]
    const [datasources, rows, left] = await this.#guarded(
      this.#table.read((table) => Promise.all(counted.map((where) => table.countRows(where)))),
    )
    return { datasources: datasources!, fragments: rows! - left! }
  }

  nearest(...query: Parameters<FragmentSearch['nearest']>): Promise<Found[]> {
    return this.#guarded(this.#search.nearest(...query))
  }

  byWords(...query: Parameters<FragmentSearch['byWords']>): Promise<Hit[]> {
    return this.#guarded(this.#search.byWords(...query))
  }

  termStatistics(): Promise<SampledTerms> {
    return this.#guarded(this.#sample.statistics())
  }

  async refuseWrites(): Promise<void> {
    this.#dropped = true
    await this.writes.refuse(() => new NotFound('datastore', this.#datastoreId))
  }

  #rows<Row>(build: Parameters<OpenTable['readAll']>[0]): Promise<Row[]> {
    return this.#guarded(this.#table.readAll<Row>(build))
  }

  /** Turns any failure into NotFound once the table is dropped. */
  async #guarded<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      const isDropped = this.#dropped || (await this.#database.isGone(this.#table.name))
      throw isDropped ? new NotFound('datastore', this.#datastoreId) : error
    }
  }
}
