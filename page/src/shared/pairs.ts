import type {
  DatasourceSummary,
  EqualityFilter,
  Filters,
  Metadata,
} from '../../../client/src/index.ts'

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

/** Metadata from lines as `nameOf` writes them. A key of several lines has a list. @throws Error */
export function metadataOf(lines: string): Metadata | undefined {
  const metadata: Metadata = {}
  for (const line of lines.split('\n').filter((one) => one.trim())) {
    const at = line.indexOf('=')
    const key = line.slice(0, at).trim()
    if (at < 0 || !key) throw new Error(`Write "${line.trim()}" as key = value.`)
    const value = valueOf(line.slice(at + 1).trim())
    metadata[key] = Object.hasOwn(metadata, key) ? [metadata[key], value].flat() : value
  }
  return Object.keys(metadata).length > 0 ? metadata : undefined
}

const valueOf = (text: string): unknown =>
  /^(?:-?\d+(?:\.\d+)?|true|false)$/.test(text) ? JSON.parse(text) : text

/** All of them must match. */
export function filtersOf(pairs: Pair[]): Filters | undefined {
  const filters = pairs.map((pair) => ({ type: 'eq' as const, ...pair }))
  const [first, ...others] = filters
  if (!first) return undefined
  return { metadata: others.length === 0 ? first : { type: 'and', filters } }
}
