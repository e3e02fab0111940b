import type { Query, Table, VectorQuery } from '@lancedb/lancedb'
import { Semaphore } from 'async-mutex'
import type { Deadline } from '../deadline.ts'
import { readUpTo } from './read-rows.ts'
import { above, and, type Filter } from './filter.ts'
import type { FreshRows } from './fresh-rows.ts'
import { type Found, foundColumns, type SearchFilters, toConditions, together } from './hits.ts'
import type { OpenTable } from './open-table.ts'
import type { AddressedRow, TableRows } from './row-cache.ts'
import { SearchBatch } from './search-batch.ts'
import { isSmall, type SearchBudget } from './search-budget.ts'
import { indexLimit, nearestTo } from './vector-index.ts'
import { anyOf } from './word-index.ts'

/**
 * Each waits for the event loop twice, so that fewer leave the cores idle. With two small ones by
 * vector it is one fewer than there is room for: the searches of others need not wait for this table's.
 */
const mostByWords = 5

type Nearest = {
  kind: string
  vector: Float32Array
  limit: number
  filters: SearchFilters
  conditions: Filter[]
}

type Search = (query: Query) => Query | VectorQuery

/** A row that was found; of which of several queries, is missing where there is one. */
type Hit = { _rowid: bigint; query_index?: number }

/** What a table is searched with beside itself: its rows that are remembered, and that are not in an index. */
type SearchParts = { rows: TableRows; fresh: FreshRows; budget: SearchBudget }

/** The searches of one table. */
export class FragmentSearch {
  readonly #table: OpenTable
  readonly #rows: TableRows
  readonly #fresh: FreshRows
  readonly #budget: SearchBudget
  readonly #batch: SearchBatch<Nearest, Found[]>
  readonly #turns = new Semaphore(mostByWords)

  constructor(table: OpenTable, { rows, fresh, budget }: SearchParts) {
    this.#table = table
    this.#rows = rows
    this.#fresh = fresh
    this.#budget = budget
    this.#batch = new SearchBatch(
      (queries) => this.#nearest(queries),
      (search) => budget.run(table.bytesToSearch, search),
      () => isSmall(table.bytesToSearch),
    )
  }

  /** Has what is known of rows, and what is fresh, known where they stand in another version, too. */
  follow(lance: Table): Promise<void> {
    return this.#rows.follow(lance, this.#fresh)
  }

  /** Among others the `limit` fragments nearest to the vector of those the filters match. */
  nearest(
    vector: Float32Array,
    limit: number,
    filters: SearchFilters,
    deadline: Deadline,
  ): Promise<Found[]> {
    const conditions = toConditions(filters)
    const kind = `${limit} ${and(...conditions)}`
    return this.#batch.run({ kind, vector, limit, filters, conditions }, deadline)
  }

  /** The `limit` fragments that hold most of the tokens among those the filters match; see `anyOf`. */
  holding(
    tokens: string,
    limit: number,
    filters: SearchFilters,
    deadline: Deadline,
  ): Promise<Found[]> {
    return this.#turns.runExclusive(() =>
      this.#budget.run(0, () => {
        deadline.signal.throwIfAborted()
        return this.#holding(tokens, limit, filters)
      }),
    )
  }

  async #holding(tokens: string, limit: number, filters: SearchFilters): Promise<Found[]> {
    const conditions = toConditions(filters)
    const search = (query: Query) =>
      where(query.fullTextSearch(anyOf(tokens)).limit(limit), conditions)
    const indexed = await this.#byIndex(
      (lance) => this.#found(lance, 1, limit, (query) => search(query).fastSearch()),
      (until) => [this.#fresh.holding(tokens, limit, filters, until)],
    )
    if (indexed) return indexed[0]!
    const [found] = await this.#table.read((lance) => this.#found(lance, 1, limit, search))
    return found!
  }

  /** Whether all rows written since are here, so that no other file of the table is to be read. */
  #isAtHandAfter(until: string | undefined): until is string {
    const { since } = this.#fresh
    return until !== undefined && since !== undefined && since <= until
  }

  /** For each query at least its nearest, if there are as many. */
  async #nearest(queries: Nearest[]): Promise<Found[][]> {
    const { limit, filters } = queries[0]!
    const indexed = await this.#byIndex(
      (lance) => this.#searched(lance, queries, (search) => search.fastSearch()),
      (until) => queries.map(({ vector }) => this.#fresh.nearest(vector, limit, filters, until)),
    )
    const found = indexed ?? (await this.#withFiles(queries))
    if (!this.#table.mayMiss) return found
    // An index looks where most are near, which those that a filter matches need not be.
    const isShort = (_: unknown, index: number) => found[index]!.length < queries[index]!.limit
    const short = queries.filter(isShort)
    if (short.length === 0) return found
    const exact = await this.#table.read((lance) => this.#searched(lance, short, exactly))
    return found.map((some, index) => (isShort(some, index) ? exact.shift()! : some))
  }

  /**
   * For each query what an index finds, and what is found among the rows written since that are at
   * hand; undefined where they are not.
   */
  async #byIndex(
    search: (lance: Table) => Promise<Found[][]>,
    freshAfter: (until: string) => Found[][],
  ): Promise<Found[][] | undefined> {
    for (;;) {
      const until = this.#table.indexedUntil
      if (!this.#isAtHandAfter(until)) return undefined
      const indexed = await this.#table.readIndexed(search)
      // What was fresh may be in the index by now, and was not when that was searched.
      if (!this.#isAtHandAfter(until)) continue
      const fresh = freshAfter(until)
      return indexed.map((found, index) => together(found, fresh[index]!))
    }
  }

  /**
   * Left alone, LanceDB reads all that its index does not hold once for each query. So it is asked for
   * that by itself, second: of a document replaced meanwhile its new version is found then.
   */
  #withFiles(queries: Nearest[]): Promise<Found[][]> {
    return this.#table.read(async (lance) => {
      const { indexedUntil, hasFresh } = this.#table
      if (indexedUntil === undefined) return this.#searched(lance, queries, (search) => search)
      const indexed = await this.#searched(lance, queries, (search) => search.fastSearch())
      if (!hasFresh && !this.#table.hasFresh) return indexed
      const written = above('updated_at', indexedUntil)
      const fresh = await this.#searched(lance, queries, exactly, written)
      return indexed.map((found, index) => together(found, fresh[index]!))
    })
  }

  #searched(
    lance: Table,
    queries: Nearest[],
    as: (search: VectorQuery) => VectorQuery,
    ...more: Filter[]
  ): Promise<Found[][]> {
    const { limit: asked, conditions } = queries[0]!
    const limit = indexLimit(asked)
    const vectors = queries.map(({ vector }) => vector)
    return this.#found(lance, queries.length, limit, (query) =>
      where(as(nearestTo(query, vectors, limit)), [...conditions, ...more]),
    )
  }

  /**
   * Asks for no more than where the rows stand, for most of them are known, and not for what the search
   * measured or of which query they are, which come by themselves: LanceDB takes a tenth of a search by
   * words for each column it is asked for.
   *
   * @param limit of the search, for each of its queries
   */
  async #found(lance: Table, queries: number, limit: number, search: Search): Promise<Found[][]> {
    const rowsOf = <Row>(columns: string[]) =>
      readUpTo<Row>(queries * limit, search(lance.query()).select(columns).withRowId())
    const hits = await rowsOf<Hit>([])
    const known = await this.#rows.at(
      hits.map(({ _rowid }) => _rowid),
      lance,
    )
    if (hits.every(({ _rowid }) => known.has(_rowid))) {
      return byQuery(queries, hits, ({ _rowid }) => known.get(_rowid)!)
    }
    // What was merged meanwhile stands elsewhere: one search that reads all is of one moment.
    const rows = await rowsOf<Hit & AddressedRow>(foundColumns)
    return byQuery(queries, rows, (row) => this.#rows.remember(row))
  }
}

const where = (query: Query | VectorQuery, conditions: Filter[]): Query | VectorQuery =>
  conditions.length === 0 ? query : query.where(and(...conditions))

const exactly = (search: VectorQuery): VectorQuery => search.bypassVectorIndex()

function byQuery<H extends Hit>(queries: number, hits: H[], toFound: (hit: H) => Found): Found[][] {
  const found = Array.from({ length: queries }, (): Found[] => [])
  for (const hit of hits) found[hit.query_index ?? 0]!.push(toFound(hit))
  return found
}
