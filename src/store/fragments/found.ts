import type { MetadataFilter } from '../../../generated/types.gen.ts'
import { type Filter, hasAny, not, oneOf } from '../lance/filter.ts'
import { metadataCondition } from './metadata-condition.ts'

/** A fragment that was found, shared by all searches that find it. */
export type Found = {
  readonly datasourceId: string
  readonly position: number
  readonly fragmentCount: number
  /** Where its text begins in that of its datasource, in UTF-16 code units. */
  readonly offset: number
  readonly text: string
  readonly name: string
  readonly source: string
  readonly updatedAt: string
  /** Of length 1. */
  readonly vector: Float32Array
}

/** A fragment found by words. `score` is LanceDB's BM25, above 0. */
export type Hit = { readonly found: Found; readonly score: number }

/** An absent list filters nothing, an empty one matches nothing. */
export type SearchFilters = {
  datasourceIds?: string[]
  customIds?: string[]
  and?: SearchFilters
  /** Leaves out fragments with exactly these texts. */
  notTexts?: string[]
  metadata?: MetadataFilter
}

export type FoundRow = {
  datasource_id: string
  position: number
  fragment_count: number
  offset: number
  text: string
  name: string
  source: string
  updated_at: string
  vector: Float32Array
}

export const foundColumns = [
  'datasource_id',
  'position',
  'fragment_count',
  'offset',
  'text',
  'name',
  'source',
  'updated_at',
  'vector',
]

export const toConditions = (filters: SearchFilters): Filter[] => {
  const { datasourceIds, customIds, metadata, and, notTexts } = filters
  return [
    ...(datasourceIds ? [oneOf('datasource_id', datasourceIds)] : []),
    ...(customIds ? [hasAny('custom_ids', customIds)] : []),
    ...(metadata ? [metadataCondition(metadata)] : []),
    ...(and ? toConditions(and) : []),
    ...(notTexts ? [not(oneOf('text', notTexts))] : []),
  ]
}

export const toFound = (row: FoundRow): Found => ({
  datasourceId: row.datasource_id,
  position: row.position,
  fragmentCount: row.fragment_count,
  offset: row.offset,
  text: row.text,
  name: row.name,
  source: row.source,
  updatedAt: row.updated_at,
  vector: normalized(row.vector),
})

/** Equal scores stand in the order of datasource and position, so that an answer is the same each time. */
export const bestFirst = <One extends { found: Found; score: number }>(all: One[]): One[] =>
  all.toSorted((a, b) => b.score - a.score || byPlace(a.found, b.found))

const byPlace = (a: Found, b: Found): number =>
  a.datasourceId === b.datasourceId
    ? a.position - b.position
    : a.datasourceId < b.datasourceId
      ? -1
      : 1

/** Whether no datasource that both searches found was replaced between them. */
export function areConsistent(first: Found[], second: Found[]): boolean {
  const isSame = isOfVersionIn(second)
  return first.every(isSame)
}

/** Joins the results of two searches. If a datasource was replaced between them, only its newer version stays. */
export function union(first: Found[], second: Found[]): Found[] {
  const isSame = isOfVersionIn(second)
  const places = new Set(second.map(placeOf))
  return [...first.filter((found) => isSame(found) && !places.has(placeOf(found))), ...second]
}

function isOfVersionIn(others: Found[]): (found: Found) => boolean {
  const versions = new Map(others.map(({ datasourceId, updatedAt }) => [datasourceId, updatedAt]))
  return ({ datasourceId, updatedAt }) => (versions.get(datasourceId) ?? updatedAt) === updatedAt
}

const placeOf = ({ datasourceId, position }: Found): string => `${datasourceId}#${position}`

/** Brings a vector to length 1, so that dot products are cosines. */
export function normalized(vector: Float32Array): Float32Array {
  let squares = 0
  for (let n = 0; n < vector.length; n++) squares += vector[n]! * vector[n]!
  const scale = 1 / Math.sqrt(squares)
  // A search scales each row that it sees first, and `map` is slow.
  const unit = new Float32Array(vector.length)
  for (let n = 0; n < vector.length; n++) unit[n] = vector[n]! * scale
  return unit
}

/** A row as LanceDB finds it, by its address. */
export type RowHit = { _rowid: bigint; query_index?: number; _score?: number }

/** The hits of each of several queries that were searched together. */
export function byQuery<R extends RowHit>(
  queries: number,
  rows: R[],
  foundOf: (row: R) => Found,
): Hit[][] {
  const hits = Array.from({ length: queries }, (): Hit[] => [])
  for (const row of rows) {
    const { query_index: query = 0, _score: score = 0 } = row
    const found = foundOf(row)
    hits[query]!.push({ found, score })
  }
  return hits
}
