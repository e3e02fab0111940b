import type { Filter } from './filter.ts'
import { hasAny, oneOf } from './filter.ts'
import { Direction } from '../direction.ts'

/**
 * A fragment that a search found, whose it is, and when that was written; `direction` is its
 * vector's. It is shared by all who find it, and not to be changed.
 */
export type Found = {
  readonly datasourceId: string
  readonly position: number
  readonly text: string
  readonly name: string
  readonly source: string
  readonly updatedAt: string
  readonly direction: Direction
}

/** What a search found, and how well it answers, by the search's own measure: the more the better. */
export type Hit = { readonly found: Found; readonly value: number }

/**
 * What one search by words found, the best first. Those it did not find are worth `others` at the
 * most, by its own measure, which may be another than that of the next; 0 where it found all. Where it
 * `isMixed`, it went over what is in the index and what is not, and measured each in another way.
 */
export type Held = { hits: readonly Hit[]; others: number; isMixed?: boolean }

/**
 * Of hits that are worth the same, so that some of them are left out: any of them, or those that come
 * first in place, which is the same whatever the store does, and takes longer.
 */
export type Order = 'any' | 'in place'

/** Which documents to search; an absent list filters nothing, an empty one matches nothing. */
export type SearchFilters = { datasourceIds?: string[]; customIds?: string[] }

export type FoundRow = {
  datasource_id: string
  position: number
  text: string
  name: string
  source: string
  updated_at: string
  vector: Float32Array
}

export const foundColumns = [
  'datasource_id',
  'position',
  'text',
  'name',
  'source',
  'updated_at',
  'vector',
]

export const toConditions = ({ datasourceIds, customIds }: SearchFilters): Filter[] => [
  ...(datasourceIds ? [oneOf('datasource_id', datasourceIds)] : []),
  ...(customIds ? [hasAny('custom_ids', customIds)] : []),
]

export const toFound = (row: FoundRow): Found => ({
  datasourceId: row.datasource_id,
  position: row.position,
  text: row.text,
  name: row.name,
  source: row.source,
  updatedAt: row.updated_at,
  direction: new Direction(row.vector),
})

/** A fixed order: by the datasource's id, then by the place in it. */
export const inPlace = (a: FragmentPlace, b: FragmentPlace): number =>
  a.datasourceId === b.datasourceId
    ? a.position - b.position
    : a.datasourceId < b.datasourceId
      ? -1
      : 1

/**
 * What two searches of one table found, each fragment once. Of a document that was replaced between
 * them there is what the second found, for two versions must not stand side by side.
 */
export function together(first: Found[], second: Found[]): Found[] {
  return [...first.filter(isBeside(second)), ...second]
}

/** The same of what one search after the other found by words, each by its own measure. */
export const eachHeld = (each: Held[]): Held[] =>
  each.map(({ hits, ...held }, index) => {
    const later = each.slice(index + 1).flatMap((one) => one.hits)
    const beside = isBeside(later.map(({ found }) => found))
    return { ...held, hits: hits.filter(({ found }) => beside(found)) }
  })

/** Whether a fragment is none of these, nor one of another version of their documents. */
function isBeside(these: Found[]): (found: Found) => boolean {
  const versions = new Map(these.map(({ datasourceId, updatedAt }) => [datasourceId, updatedAt]))
  const places = new Set(these.map(placeOf))
  return (found) =>
    (versions.get(found.datasourceId) ?? found.updatedAt) === found.updatedAt &&
    !places.has(placeOf(found))
}

/** Which fragment of its table it is. */
export type FragmentPlace = Pick<Found, 'datasourceId' | 'position'>

/** What tells a fragment from all others of its table. */
export const placeOf = ({ datasourceId, position }: FragmentPlace): string =>
  `${datasourceId}#${position}`
