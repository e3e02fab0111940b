import type { Query, Table, VectorQuery } from '@lancedb/lancedb'
import type { Deadline } from '../../process/deadline.ts'
import { above, and, type Filter } from '../lance/filter.ts'
import { noDatasource } from './documents.ts'
import type { OpenTable } from '../table/open-table.ts'
import { readUpTo } from '../lance/read-rows.ts'
import type { IndexState } from '../lance/fragment-indexes.ts'
import { anyOf, indexLimit, nearestTo, type WeightedTokens } from '../lance/search-indexes.ts'
import {
  bestFirst,
  byQuery,
  type Found,
  foundColumns,
  type Hit,
  type RowHit,
  type SearchFilters,
  toConditions,
  union,
} from './found.ts'
import type { RecentRows } from './recent-rows.ts'
import type { RecentSegment } from './recent-segment.ts'
import type { AddressedRow, CachedRows } from './row-cache.ts'
import { isSmall, SearchBatch, type SearchBudget } from './search-batch.ts'
import type { SampledTerms, TermSample } from './term-statistics.ts'

/** Queries of about the same limit share one search, because most of its cost is paid once. */
const sharedLimits = [10, 32, 100, 320, 1_000]

/** LanceDB reads fewer recent rows as fast, but with a filter it scores them by the matching rows alone. */
const minRecent = 128

type Nearest = {
  /** Queries of one kind can share a search. */
  kind: string
  vector: Float32Array
  limit: number
  sharedLimit: number
  conditions: Filter[]
}

type WordQuestion = { tokens: WeightedTokens; limit: number; filters: SearchFilters }

type BuiltSearch = (query: Query) => Query | VectorQuery

type SearchParts = {
  table: OpenTable
  indexed: Pick<IndexState, 'hasVectors' | 'unindexed'>
  rows: CachedRows
  recent: RecentRows
  sample: TermSample
  budget: SearchBudget
}

export class FragmentSearch {
  readonly #parts: SearchParts
  readonly #batch: SearchBatch<Nearest, Found[]>

  constructor(parts: SearchParts) {
    this.#parts = parts
    this.#batch = new SearchBatch(
      (queries) => this.#nearest(queries),
      (search) => parts.budget.admit(this.#bytesToScan, search),
      () => isSmall(this.#bytesToScan),
    )
  }

  get #bytesToScan(): number {
    const { table, indexed } = this.#parts
    const { rows, bytes } = table
    return indexed.hasVectors ? bytes * Math.min(1, indexed.unindexed / Math.max(1, rows)) : bytes
  }

  /** The `limit` nearest fragments that the filters match, or more, unordered. */
  nearest(
    vector: Float32Array,
    limit: number,
    filters: SearchFilters,
    deadline: Deadline,
  ): Promise<Found[]> {
    const conditions = toConditions(filters)
    const sharedLimit = sharedLimits.find((one) => one >= limit) ?? limit
    const kind = `${sharedLimit} ${and(...conditions)}`
    return this.#batch.find({ kind, vector, limit, sharedLimit, conditions }, deadline)
  }

  /** The `limit` best fragments that the filters match, best first. */
  byWords(
    tokens: WeightedTokens,
    limit: number,
    filters: SearchFilters,
    deadline: Deadline,
  ): Promise<Hit[]> {
    const question: WordQuestion = { tokens, limit, filters }
    return this.#parts.budget.admit(0, async () => {
      deadline.signal.throwIfAborted()
      const { recent, sample } = this.#parts
      const { segments } = recent
      const isAll = toConditions(filters).length === 0
      if (!segments || (isAll && recent.size < minRecent)) return this.#wordHits(question)
      const statistics = await sample.statistics()
      const indexed = await this.#wordHits(question, (search) => search.fastSearch())
      // A row that was written meanwhile may be missing in either.
      const newer = recent.segments
      if (!newer) return this.#wordHits(question)
      const all = [...new Set([...segments, ...newer])]
      // Read together, because a document may be replaced while they are searched.
      const shown = all.map((segment) => ({ segment, rows: segment.shown }))
      return this.#withRecent(indexed, shown, question, statistics)
    })
  }

  async #wordHits(
    { tokens, limit, filters }: WordQuestion,
    adapt: (search: Query) => Query = (search) => search,
  ): Promise<Hit[]> {
    const search = (query: Query) =>
      where(adapt(query.fullTextSearch(anyOf(tokens))).limit(limit), toConditions(filters))
    const [hits] = await this.#parts.table.read((lance) => this.#hits(lance, 1, limit, search))
    return hits!
  }

  async #withRecent(
    indexed: Hit[],
    segments: { segment: RecentSegment; rows: Uint8Array }[],
    { tokens, limit, filters }: WordQuestion,
    statistics: SampledTerms,
  ): Promise<Hit[]> {
    const scores = new Map(indexed.map(({ found, score }) => [found, score]))
    let all = [...scores.keys()]
    // In order, because a document may be replaced meanwhile, and its newest version is in the last.
    for (const { segment, rows } of segments) {
      const hits = await segment.search(tokens, limit, filters, statistics, rows)
      for (const { found, score } of hits) scores.set(found, score)
      all = union(
        all,
        hits.map(({ found }) => found),
      )
    }
    return bestFirst(all.map((found) => ({ found, score: scores.get(found)! }))).slice(0, limit)
  }

  async #nearest(queries: Nearest[]): Promise<Found[][]> {
    const found = await this.#searchVectors(queries, (search) => search)
    const { table, indexed } = this.#parts
    if (!table.volume.isShared && !indexed.hasVectors) return found
    // An index, maybe another server's, looks only near the query. A filter may match too few fragments there.
    const isShort = (_: unknown, index: number) => found[index]!.length < queries[index]!.limit
    const short = queries.filter(isShort)
    if (short.length === 0) return found
    const exact = await this.#searchVectors(short, (search) => search.bypassVectorIndex())
    return found.map((some, index) => (isShort(some, index) ? exact.shift()! : some))
  }

  async #searchVectors(
    queries: Nearest[],
    adapt: (search: VectorQuery) => VectorQuery,
  ): Promise<Found[][]> {
    const { sharedLimit, conditions } = queries[0]!
    const limit = indexLimit(sharedLimit)
    const vectors = queries.map(({ vector }) => vector)
    const search = (query: Query) => where(adapt(nearestTo(query, vectors, limit)), conditions)
    const read = (lance: Table) => this.#hits(lance, queries.length, limit, search)
    const hits = await this.#parts.table.read(read)
    const found = hits.map((some) => some.map((hit) => hit.found))
    if (!found.some((some) => some.some(isEmptied))) return found
    // Rows without a document took places of others within the limit.
    const others = queries.map((one) => ({ ...one, conditions: [...conditions, ofDocuments] }))
    return this.#searchVectors(others, adapt)
  }

  /** A search for addresses alone is cheapest, because most rows are in the cache. */
  async #hits(lance: Table, queries: number, limit: number, search: BuiltSearch): Promise<Hit[][]> {
    // Conditions come last, because LanceDB copies long ones at each later step.
    const addressed = search(lance.query().select([]).withRowId())
    const rows = await readUpTo<RowHit>(queries * limit, addressed)
    const known = await this.#parts.rows.read(
      rows.map(({ _rowid }) => _rowid),
      lance,
    )
    if (rows.every(({ _rowid }) => known.has(_rowid))) {
      return byQuery(queries, rows, ({ _rowid }) => known.get(_rowid)!)
    }
    // If rows moved between the two reads, all is read at one moment.
    const whole = search(lance.query().select(foundColumns).withRowId())
    const wholeRows = await readUpTo<RowHit & AddressedRow>(queries * limit, whole)
    return byQuery(queries, wholeRows, (row) => this.#parts.rows.remember(row))
  }
}

const ofDocuments = above('datasource_id', noDatasource)
const isEmptied = ({ datasourceId }: Found): boolean => datasourceId === noDatasource

const where = (query: Query | VectorQuery, conditions: Filter[]): Query | VectorQuery =>
  conditions.length === 0 ? query : query.where(and(...conditions))
