import type { Query, Table, VectorQuery } from '@lancedb/lancedb'
import { Semaphore } from 'async-mutex'
import type { Deadline } from '../deadline.ts'
import { readUpTo } from './read-rows.ts'
import { and, type Filter } from './filter.ts'
import { firstInPlace } from './first-in-place.ts'
import type { FreshRows } from './fresh-rows.ts'
import {
  eachHeld,
  type Found,
  foundColumns,
  type Held,
  type Hit,
  type Order,
  type SearchFilters,
  toConditions,
  together,
} from './hits.ts'
import type { OpenTable } from './open-table.ts'
import type { AddressedRow, TableRows } from './row-cache.ts'
import { SearchBatch } from './search-batch.ts'
import { isSmall, type SearchBudget } from './search-budget.ts'
import { SplitSearch } from './split-search.ts'
import { indexLimit, nearestTo } from './vector-index.ts'
import type { WordCounts } from './word-counts.ts'
import { anyOf, type SoughtTokens } from './word-index.ts'

/**
 * Each waits for the event loop twice, so that fewer leave the cores idle. With two small ones by
 * vector it is one fewer than there is room for, so that the searches of others need not wait for this
 * table's but where its vectors are searched by different filters.
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

/** What to look for by words. */
export type WordQuery = {
  tokens: SoughtTokens
  counts: WordCounts
  limit: number
  filters: SearchFilters
  /**
   * Of what the index finds; of the others there are always the first in place, and on an object store,
   * where that would read two columns of all, any. By default any.
   */
  order?: Order | undefined
  /**
   * How far down the rows of what the index finds are read, where that is in any order. Where this is
   * missing all of them are, as always of what no index finds.
   */
  reading?: Reading | undefined
}

/** So many are read at first, and then more until that says that it is enough. */
export type Reading = { first: number; isEnough: (held: Held) => Promise<boolean> }

/** How many more are read first, and then twice as many each time. */
const fewestMore = 16

/**
 * A row that was found; of which of several queries, is missing where there is one, and what it is
 * worth, where it was not found by words.
 */
type RowHit = { _rowid: bigint; query_index?: number; _score?: number }

/** What a table is searched with beside itself: its rows that are remembered, and that are not in an index. */
type SearchParts = { rows: TableRows; fresh: FreshRows; budget: SearchBudget }

/** The searches of one table. */
export class FragmentSearch {
  readonly #table: OpenTable
  readonly #rows: TableRows
  readonly #fresh: FreshRows
  readonly #budget: SearchBudget
  readonly #split: SplitSearch
  readonly #batch: SearchBatch<Nearest, Found[]>
  readonly #turns = new Semaphore(mostByWords)

  constructor(table: OpenTable, { rows, fresh, budget }: SearchParts) {
    this.#table = table
    this.#rows = rows
    this.#fresh = fresh
    this.#budget = budget
    this.#split = new SplitSearch(table, fresh)
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

  /**
   * The fragments that hold most of the tokens among those the filters match: first `limit` of those in
   * the index by what that counts, or of these the best that were read, then as many of the others by
   * `counts`.
   */
  holding(query: WordQuery, deadline: Deadline): Promise<Held[]> {
    return this.#turns.runExclusive(() =>
      this.#budget.run(0, () => {
        deadline.signal.throwIfAborted()
        return this.#holding(query)
      }),
    )
  }

  async #holding({ tokens, counts, limit, filters, order, reading }: WordQuery): Promise<Held[]> {
    const conditions = toConditions(filters)
    const query = (lance: Query, ...more: Filter[]) =>
      where(lance.fullTextSearch(anyOf(tokens)).limit(limit), [...conditions, ...more])
    const isInPlace = order === 'in place' && !this.#table.isShared
    const held = async (lance: Table, as: Search, some?: Reading) => {
      if (isInPlace) return heldOf(await this.#hitsInPlace(lance, limit, as), limit)
      if (some) return this.#heldAsFar(lance, limit, as, some)
      return heldOf((await this.#hits(lance, 1, limit, as))[0]!, limit)
    }
    const each = await this.#split.run<Held>(
      {
        all: async (lance) => ({ ...(await held(lance, query)), isMixed: true }),
        indexed: (lance) => held(lance, (search) => query(search).fastSearch(), reading),
        written: (lance, condition) => held(lance, (search) => query(search, condition)),
        fresh: (until) => heldOf(this.#fresh.holding(tokens, counts, limit, filters, until), limit),
      },
      () => this.#table.wordsUntil,
    )
    this.#want(each)
    return eachHeld(each)
  }

  /** Of what is fresh what is worth as much as the least that was read of what the index found. */
  #want([indexed, ...others]: Held[]): void {
    const isWanted = ({ value }: Hit) => value >= indexed!.others
    const wanted = others.flatMap(({ hits }) => hits.filter(isWanted))
    this.#fresh.want(wanted.map(({ found }) => found))
  }

  /** For each query at least its nearest, if there are as many. */
  async #nearest(queries: Nearest[]): Promise<Found[][]> {
    const { limit, filters } = queries[0]!
    const each = await this.#split.run<Found[][]>(
      {
        all: (lance) => this.#searched(lance, queries, (search) => search),
        indexed: (lance) => this.#searched(lance, queries, (search) => search.fastSearch()),
        written: (lance, condition) => this.#searched(lance, queries, exactly, condition),
        fresh: (until) =>
          queries.map(({ vector }) => {
            const found = this.#fresh.nearest(vector, limit, filters, until)
            this.#fresh.want(found)
            return found
          }),
      },
      () => this.#table.indexedUntil,
    )
    const found = each.reduce(eachTogether)
    if (!this.#table.mayMiss) return found
    // An index looks where most are near, which those that a filter matches need not be.
    const isShort = (_: unknown, index: number) => found[index]!.length < queries[index]!.limit
    const short = queries.filter(isShort)
    if (short.length === 0) return found
    const exact = await this.#table.read((lance) => this.#searched(lance, short, exactly))
    return found.map((some, index) => (isShort(some, index) ? exact.shift()! : some))
  }

  async #searched(
    lance: Table,
    queries: Nearest[],
    as: (search: VectorQuery) => VectorQuery,
    ...more: Filter[]
  ): Promise<Found[][]> {
    const { limit: asked, conditions } = queries[0]!
    const limit = indexLimit(asked)
    const vectors = queries.map(({ vector }) => vector)
    const hits = await this.#hits(lance, queries.length, limit, (query) =>
      where(as(nearestTo(query, vectors, limit)), [...conditions, ...more]),
    )
    return hits.map((some) => some.map(({ found }) => found))
  }

  /**
   * The `limit` best of all that a search by words finds, and of equal ones those that stand first: an
   * index has them in an order that changes with every merger.
   */
  async #hitsInPlace(lance: Table, limit: number, search: Search): Promise<Hit[]> {
    for (;;) {
      const best = await firstInPlace(search(lance.query()), limit)
      const addresses = best.found.map(({ address }) => address)
      const known = await this.#rows.at(addresses, lance)
      // What was merged meanwhile stands elsewhere.
      if (!addresses.every((address) => known.has(address))) continue
      return best.hits.map(({ found: { address }, value }) => ({
        found: known.get(address)!,
        value,
      }))
    }
  }

  async #hits(lance: Table, queries: number, limit: number, search: Search): Promise<Hit[][]> {
    const rows = await addressesOf(lance, queries * limit, search)
    const hits = await this.#known(lance, rows)
    return hits
      ? byQuery(queries, rows, (_, index) => hits[index]!)
      : this.#hitsWhole(lance, queries, limit, search)
  }

  /**
   * Of what a search by words found the best, as far as somebody goes down them: to read a row that is
   * not known takes a thirtieth of the search.
   */
  async #heldAsFar(
    lance: Table,
    limit: number,
    search: Search,
    { first, isEnough }: Reading,
  ): Promise<Held> {
    const rows = await addressesOf(lance, limit, search)
    const hits: Hit[] = []
    for (let more = first; ; more = hits.length === first ? fewestMore : 2 * more) {
      const next = await this.#known(lance, rows.slice(hits.length, hits.length + more))
      if (!next) return heldOf((await this.#hitsWhole(lance, 1, limit, search))[0]!, limit)
      hits.push(...next)
      if (hits.length === rows.length) return heldOf(hits, limit)
      const held = { hits, others: hits.at(-1)!.value }
      if (await isEnough(held)) return held
    }
  }

  /** With their rows; undefined where one is not known, for what was merged meanwhile stands elsewhere. */
  async #known(lance: Table, rows: RowHit[]): Promise<Hit[] | undefined> {
    const known = await this.#rows.at(
      rows.map(({ _rowid }) => _rowid),
      lance,
    )
    if (!rows.every(({ _rowid }) => known.has(_rowid))) return undefined
    return rows.map((row) => {
      const { _rowid: address } = row
      return { found: known.get(address)!, value: valueOf(row) }
    })
  }

  /** By a search that reads all, which is of one moment. */
  async #hitsWhole(lance: Table, queries: number, limit: number, search: Search): Promise<Hit[][]> {
    const all = search(lance.query()).select(foundColumns).withRowId()
    const rows = await readUpTo<RowHit & AddressedRow>(queries * limit, all)
    return byQuery(queries, rows, (row) => ({
      found: this.#rows.remember(row),
      value: valueOf(row),
    }))
  }
}

/**
 * Where stands what a search finds; not what it measured or of which query they are, which come by
 * themselves: LanceDB takes a tenth of a search by words for each column it is asked for. Most rows are
 * known by that.
 */
const addressesOf = (lance: Table, most: number, search: Search): Promise<RowHit[]> =>
  readUpTo<RowHit>(most, search(lance.query()).select([]).withRowId())

const where = (query: Query | VectorQuery, conditions: Filter[]): Query | VectorQuery =>
  conditions.length === 0 ? query : query.where(and(...conditions))

const exactly = (search: VectorQuery): VectorQuery => search.bypassVectorIndex()

const eachTogether = (first: Found[][], second: Found[][]): Found[][] =>
  first.map((found, index) => together(found, second[index]!))

const valueOf = ({ _score: value = 0 }: RowHit): number => value

/** Where there are fewer than were asked for, there are no others. */
const heldOf = (hits: readonly Hit[], limit: number): Held => ({
  hits,
  others: hits.length < limit ? 0 : hits.at(-1)!.value,
})

function byQuery<R extends RowHit>(
  queries: number,
  rows: R[],
  hitOf: (row: R, index: number) => Hit,
): Hit[][] {
  const hits = Array.from({ length: queries }, (): Hit[] => [])
  for (const [index, row] of rows.entries()) hits[row.query_index ?? 0]!.push(hitOf(row, index))
  return hits
}
