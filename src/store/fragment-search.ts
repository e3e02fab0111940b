import type { Query, VectorQuery } from '@lancedb/lancedb'
import { and } from './filter.ts'
import { foundColumns, toConditions, toFound } from './hits.ts'
import type { Found, FoundRow, SearchFilters } from './hits.ts'
import type { OpenTable } from './open-table.ts'
import { rowsOf } from './read-rows.ts'
import { anyOf } from './word-index.ts'

/** The `limit` fragments nearest to the vector among those the filters match. */
export const findNearest = (
  table: OpenTable,
  vector: Float32Array,
  limit: number,
  filters: SearchFilters,
): Promise<Found[]> =>
  find(table, filters, '_distance', (query) =>
    query.nearestTo(vector).distanceType('cosine').limit(limit),
  )

/** The `limit` fragments that hold most of the tokens among those the filters match; see `anyOf`. */
export const findHolding = (
  table: OpenTable,
  tokens: string,
  limit: number,
  filters: SearchFilters,
): Promise<Found[]> =>
  find(table, filters, '_score', (query) => query.fullTextSearch(anyOf(tokens)).limit(limit))

async function find(
  table: OpenTable,
  filters: SearchFilters,
  measure: string,
  search: (query: Query) => VectorQuery | Query,
): Promise<Found[]> {
  const conditions = toConditions(filters)
  const rows = await rowsOf<FoundRow>(table, (query) => {
    const found = search(query)
    const filtered = conditions.length > 0 ? found.where(and(...conditions)) : found
    // LanceDB warns of every search that leaves out what it measured.
    return filtered.select([...foundColumns, measure])
  })
  return rows.map(toFound)
}
