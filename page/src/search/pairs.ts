import type { DatasourceSummary, EqualityFilter, Filters } from '../../../client/src/index.ts'

/** A key of metadata and a value that documents have there. */
export type Pair = Pick<EqualityFilter, 'key' | 'value'>

/** A filter compares plain values alone, and takes a key that begins with `/` for a pointer. */
export function pairsOf(documents: DatasourceSummary[]): Pair[] {
  const pairs = documents
    .flatMap(({ metadata }) => Object.entries(metadata ?? {}))
    .flatMap(([key, value]) => [value].flat().map((one) => ({ key, value: one })))
    .filter((pair): pair is Pair => !pair.key.startsWith('/') && isPlain(pair.value))
  return [...new Map(pairs.map((pair) => [nameOf(pair), pair])).values()].toSorted((one, other) =>
    nameOf(one).localeCompare(nameOf(other)),
  )
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

export const nameOf = ({ key, value }: Pair): string =>
  `${key} = ${typeof value === 'string' ? value : JSON.stringify(value)}`

/** All of them must match. */
export function filtersOf(pairs: Pair[]): Filters | undefined {
  const filters = pairs.map((pair) => ({ type: 'eq' as const, ...pair }))
  const [first, ...others] = filters
  if (!first) return undefined
  return { metadata: others.length === 0 ? first : { type: 'and', filters } }
}
