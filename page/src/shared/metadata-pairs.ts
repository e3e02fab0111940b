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

export const nameOf = ({ key, value }: { key: string; value: unknown }): string =>
  `${key} = ${typeof value === 'string' ? value : JSON.stringify(value)}`

/**
 * Metadata from lines of `key = value`. A key on several lines gets a list of their values. What reads like a number
 * or a boolean is one; in double quotes it stays a text. @throws Error
 */
export function metadataOf(lines: string): Metadata | undefined {
  const metadata = new Map<string, unknown>()
  for (const line of lines.split('\n').filter((one) => one.trim())) {
    const at = line.indexOf('=')
    const key = line.slice(0, at).trim()
    if (at < 0 || !key) throw new Error(`Write "${line.trim()}" as key = value.`)
    const value = valueOf(line.slice(at + 1).trim())
    metadata.set(key, metadata.has(key) ? [metadata.get(key), value].flat() : value)
  }
  return metadata.size > 0 ? Object.fromEntries(metadata) : undefined
}

function valueOf(text: string): unknown {
  // 007, 1.10 and a number of twenty digits would not be what was typed.
  if (String(Number(text)) === text && Number.isFinite(Number(text))) return Number(text)
  if (text === 'true' || text === 'false') return text === 'true'
  return /^".*"$/.test(text) ? text.slice(1, -1) : text
}

/** All of them must match. */
export function filtersOf(pairs: Pair[]): Filters | undefined {
  const filters = pairs.map((pair) => ({ type: 'eq' as const, ...pair }))
  const [first, ...others] = filters
  if (!first) return undefined
  return { metadata: others.length === 0 ? first : { type: 'and', filters } }
}
