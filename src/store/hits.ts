import { type Filter, hasAny, oneOf } from './filter.ts'

/** What a search found: a fragment, whose it is, and its cosine with the query, -1 to 1. */
export type Hit = {
  datasourceId: string
  position: number
  text: string
  name: string
  source: string
  score: number
}

/** Which documents to search; an absent list filters nothing, an empty one matches nothing. */
export type SearchFilters = { datasourceIds?: string[]; customIds?: string[] }

export type HitRow = {
  datasource_id: string
  position: number
  text: string
  name: string
  source: string
  _distance: number
}

export const hitColumns = ['datasource_id', 'position', 'text', 'name', 'source', '_distance']

export const toConditions = ({ datasourceIds, customIds }: SearchFilters): Filter[] => [
  ...(datasourceIds ? [oneOf('datasource_id', datasourceIds)] : []),
  ...(customIds ? [hasAny('custom_ids', customIds)] : []),
]

export const toHit = (row: HitRow): Hit => ({
  datasourceId: row.datasource_id,
  position: row.position,
  text: row.text,
  name: row.name,
  source: row.source,
  // Rounding can carry the cosine of equal vectors a hair past 1.
  score: Math.max(-1, Math.min(1, 1 - row._distance)),
})

/** Best first; equal scores in a fixed order. */
export const inRank = (a: Hit, b: Hit): number =>
  b.score - a.score ||
  (a.datasourceId < b.datasourceId ? -1 : a.datasourceId > b.datasourceId ? 1 : 0) ||
  a.position - b.position
