import type { MetadataFilter } from '../../generated/types.gen.ts'
import type { Random } from '../support/random.ts'

type Metadata = Record<string, unknown> | null
type Scalar = string | number | boolean

const names = [
  'lang',
  'year',
  'a.b',
  "it's",
  '"q"',
  '',
  '/slash',
  '~',
  '__proto__',
  'constructor',
  '0',
]
const strings = [
  'de',
  'DE',
  '5',
  '',
  "o'clock",
  '\\',
  'true',
  'null',
  '\u0000',
  '😀',
  '%_',
  'x'.repeat(300),
  `${'x'.repeat(300)}y`,
]
const edges = [
  0,
  -0,
  1,
  -1,
  5,
  0.1,
  -0.1,
  19.99,
  2 ** 53,
  2 ** 53 - 1,
  -(2 ** 53),
  1e308,
  -1e308,
  5e-324,
  -5e-324,
  1e21,
  16,
  256,
  65_536,
]
const dates = [
  '2024-05-01',
  '2024-05-01T00:00:00Z',
  '2024-05-01t02:00:00.000000+02:00',
  '2024-05-01T00:00:00',
  '2024-05-01 00:00:00Z',
  '2024-04-30T23:59:59.999999Z',
  '2024-04-30T23:59:59.9999999Z',
  '2024-05-01T00:00:00.000001Z',
  '2016-12-31T23:59:60Z',
  '2017-01-01T00:00:00Z',
  '2017-01-01T00:59:60+01:00',
  '2016-12-31T23:58:60Z',
  '2024-02-30',
  '2023-02-29',
  '2024-02-29',
  '0000-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59.999999-23:59',
  '1969-12-31T23:59:59Z',
  '2024-05-01T24:00:00Z',
  '2024-13-01',
  '2024-5-1',
]
const validDates = dates.filter(
  (date) => !/T00:00:00$| |58:60|02-30|2023-02-29|T24|-13-|-5-/.test(date),
)

/** Ten thousand numbers, so that few documents have the same. */
const numberOf = (random: Random): number =>
  random.chance(0.4)
    ? random.pick(edges)
    : (random.below(10_000) - 5_000) / random.pick([1, 1, 3, 1024])

function scalarOf(random: Random): Scalar {
  const kind = random.below(10)
  if (kind < 3) return random.pick(strings)
  if (kind < 6) return numberOf(random)
  if (kind < 9) return random.pick(dates)
  return random.chance(0.5)
}

function valueOf(random: Random, depth: number): unknown {
  const kind = random.below(12)
  if (kind === 0) return null
  if (kind < 3 && depth > 0) {
    return Array.from({ length: random.below(4) }, () => valueOf(random, depth - 1))
  }
  return kind < 5 && depth > 0 ? objectOf(random, depth - 1) : scalarOf(random)
}

const objectOf = (random: Random, depth: number): Record<string, unknown> =>
  Object.fromEntries(
    Array.from({ length: random.below(5) }, () => [random.pick(names), valueOf(random, depth)]),
  )

export const metadataOf = (random: Random): Metadata =>
  random.chance(0.05) ? null : objectOf(random, 3)

function keyOf(random: Random): string {
  const escaped = () => random.pick(names).replaceAll('~', '~0').replaceAll('/', '~1')
  const name = random.pick(names)
  if (random.chance(0.6)) return name.startsWith('/') ? `/${escaped()}` : name
  return Array.from({ length: 1 + random.below(3) }, () => `/${escaped()}`).join('')
}

export function filterOf(random: Random, depth = 3): MetadataFilter {
  if (depth > 0 && random.chance(0.35)) {
    const filters = Array.from({ length: 1 + random.below(4) }, () => filterOf(random, depth - 1))
    return { type: random.pick(['and', 'or']), filters }
  }
  const key = keyOf(random)
  const kind = random.below(10)
  if (kind < 3) return { type: random.pick(['eq', 'ne']), key, value: scalarOf(random) }
  if (kind < 5) {
    const value = Array.from({ length: random.below(6) }, () => scalarOf(random))
    return { type: random.pick(['in', 'nin']), key, value }
  }
  if (kind < 6) return { type: 'exists', key, value: random.chance(0.5) }
  const value = random.chance(0.5) ? numberOf(random) : random.pick(validDates)
  return { type: random.pick(['gt', 'gte', 'lt', 'lte']), key, value }
}
