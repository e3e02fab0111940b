import type { MetadataFilter } from '../../generated/types.gen.ts'

type Json = unknown
type Metadata = Record<string, Json> | null

/** Whether a filter matches, as the contract says it, without anything that the service is made of. */
export function matches(filter: MetadataFilter, metadata: Metadata): boolean {
  switch (filter.type) {
    case 'and':
      return filter.filters.every((one) => matches(one, metadata))
    case 'or':
      return filter.filters.some((one) => matches(one, metadata))
    case 'ne':
      return !matches({ ...filter, type: 'eq' }, metadata)
    case 'nin':
      return !matches({ ...filter, type: 'in' }, metadata)
    case 'exists':
      return (valueAt(metadata, filter.key) !== undefined) === filter.value
    case 'eq':
      return scalarsAt(metadata, filter.key).some((one) => one === filter.value)
    case 'in':
      return scalarsAt(metadata, filter.key).some((one) => filter.value.includes(one as string))
    default: {
      const { type, key, value } = filter
      return scalarsAt(metadata, key).some((one) => holds(type, compare(one, value)))
    }
  }
}

function holds(type: string, order: number | undefined): boolean {
  if (order === undefined) return false
  if (type === 'gt') return order > 0
  if (type === 'gte') return order >= 0
  return type === 'lt' ? order < 0 : order <= 0
}

/** Undefined where the two cannot be compared. */
function compare(one: Json, other: number | string): number | undefined {
  if (typeof one === 'number' && typeof other === 'number')
    return one - other || (one > other ? 1 : one < other ? -1 : 0)
  if (typeof one !== 'string' || typeof other !== 'string') return undefined
  const [a, b] = [microseconds(one), microseconds(other)]
  if (a === undefined || b === undefined) return undefined
  return a < b ? -1 : a > b ? 1 : 0
}

export function microseconds(text: string): bigint | undefined {
  const whole = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text.toUpperCase()
  const match = /^(.{10}T\d\d:\d\d:)(\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(whole)
  if (!match) return undefined
  const [, start = '', second = '', fraction = '', zone = ''] = match
  const isLeap = second === '60'
  const seconds = Date.parse(start + (isLeap ? '59' : second) + zone)
  const isThere =
    new Date(`${start.slice(0, 10)}T00:00:00Z`).toJSON()?.slice(0, 10) === start.slice(0, 10)
  if (Number.isNaN(seconds) || !isThere || start.slice(11, 13) === '24') return undefined
  if (isLeap && seconds % 86_400_000 !== 86_399_000 && seconds % 86_400_000 !== -1_000)
    return undefined
  return BigInt(seconds + (isLeap ? 1_000 : 0)) * 1_000n + BigInt(`${fraction}000000`.slice(0, 6))
}

function scalarsAt(metadata: Metadata, key: string): Json[] {
  const value = valueAt(metadata, key)
  return (Array.isArray(value) ? value : [value]).filter((one) =>
    ['string', 'number', 'boolean'].includes(typeof one),
  )
}

/** Undefined where there is nothing but null. */
function valueAt(metadata: Metadata, key: string): Json {
  const names = key.startsWith('/')
    ? key
        .slice(1)
        .split('/')
        .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    : [key]
  let value: Json = metadata
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(name)) return undefined
    value = (value as Record<string, Json>)[name]
  }
  return value ?? undefined
}
