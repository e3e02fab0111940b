import type { Table } from '@lancedb/lancedb'
import { NotFound } from '../errors.ts'
import { BatchDigests } from './batch-digests.ts'
import { after, and, equal, oneOf, type Position } from './filter.ts'
import { FragmentSearch } from './fragment-search.ts'
import { FragmentWrites } from './fragment-writes.ts'
import type { FreshMemory } from './fresh-memory.ts'
import { FreshRows } from './fresh-rows.ts'
import type { Found, Held } from './hits.ts'
import type { OpenTable } from './open-table.ts'
import type { RowCache } from './row-cache.ts'
import type { SearchBudget } from './search-budget.ts'
import { rowsOf } from './read-rows.ts'
import {
  type DocumentHead,
  headColumns,
  type HeadRow,
  type Piece,
  type StoredDocument,
  toHead,
} from './rows.ts'
import type { WordCounts } from './word-counts.ts'
import { WordKeeper } from './word-keeper.ts'
import { scanWords } from './words-column.ts'

/** What the searches of all tables share. */
export type Searches = { rows: RowCache; fresh: FreshMemory; budget: SearchBudget }

/** The documents of one datastore. A reader sees all of a write or nothing of it. */
export class FragmentTable {
  readonly writes: FragmentWrites
  readonly #table: OpenTable
  readonly #datastoreId: string
  readonly #keeper: WordKeeper
  readonly #search: FragmentSearch
  #dropped = false

  constructor(table: OpenTable, datastoreId: string, { rows, fresh: memory, budget }: Searches) {
    this.#table = table
    this.#datastoreId = datastoreId
    const fresh = new FreshRows(memory)
    this.#search = new FragmentSearch(table, { rows: rows.forTable(), fresh, budget })
    this.#keeper = new WordKeeper({
      isShared: table.isShared,
      between: (begin) => this.writes.between(begin),
      scan: (each) => scanWords(table, each),
    })
    const digests = new BatchDigests(table)
    const view = {
      documents: (ids: string[]) => this.#documents(ids),
      digests: (batches: string[]) => digests.of(batches),
      follow: (lance: Table) => this.#search.follow(lance),
    }
    this.writes = new FragmentWrites(table, view, this.#keeper, fresh)
  }

  /** A document's head and its fragments in order, all of one moment; without their vectors. */
  async read(id: string): Promise<StoredDocument | undefined> {
    return (await this.#documents([id])).get(id)
  }

  /** The vectors of a document's fragments by their text; empty when there is no such document. */
  async vectors(datasourceId: string): Promise<Map<string, Float32Array>> {
    const rows = await this.#rows<{ text: string; vector: Float32Array }>((query) =>
      query.where(equal('datasource_id', datasourceId)).select(['text', 'vector']),
    )
    return new Map(rows.map(({ text, vector }) => [text, vector]))
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
  nearest(...query: Parameters<FragmentSearch['nearest']>): Promise<Found[]> {
    return this.#guarded(this.#search.nearest(...query))
  }

  /**
   * The fragments that hold most of the tokens among those the filters match, by the counts of who
   * found them, first the index, then `wordCounts`: they are to be compared anew.
   */
  holding(...query: Parameters<FragmentSearch['holding']>): Promise<Held[]> {
    return this.#guarded(this.#search.holding(...query))
  }

  /** How many fragments that are gone `holding` may count at the most, and so take a word for frequent. */
  get gone(): number {
    return this.#table.gone
  }

  /** Whether there are fragments that the index of words does not count. */
  get hasFresh(): boolean {
    return this.#table.hasFresh
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

  #rows<Row>(build: Parameters<typeof rowsOf>[1]): Promise<Row[]> {
    return this.#guarded(rowsOf<Row>(this.#table, build))
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
