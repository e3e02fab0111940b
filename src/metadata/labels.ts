import { createHash } from 'node:crypto'
import { parseInstant } from './instant.ts'
import {
  type Code,
  codeOfInstant,
  codeOfNumber,
  endsOf,
  exactTerm,
  lengthOfNumber,
  neighbour,
  termsBetween,
  termsOf,
} from './range-terms.ts'

type Scalar = string | number | boolean

/** A string, a number, a boolean, a time, or that the member exists. */
type LabelKind = 's' | 'n' | 'b' | 't' | 'x'

const maxLength = 96

/** Two labels are equal if kind, pointer and value are. The length shows where the pointer ends. */
export const labelOf = (kind: LabelKind, pointer: string, value = ''): string =>
  labelAt(labelPrefix(kind, pointer), value)

/** The common prefix of a kind's labels at a place, because a number has many there. */
const labelPrefix = (kind: LabelKind, pointer: string): string =>
  `${kind}${pointer.length}${pointer}`

function labelAt(prefix: string, value: string): string {
  const label = prefix + value
  return label.length <= maxLength ? label : `${label[0]}#${hashOf(label)}`
}

export function labelOfScalar(pointer: string, value: Scalar): string {
  if (typeof value === 'string') return labelOf('s', pointer, value)
  if (typeof value === 'boolean') return labelOf('b', pointer, String(value))
  return labelOf('n', pointer, exactTerm(codeOfNumber(value)))
}

const pointerTo = (parent: string, member: string | number): string =>
  `${parent}/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** A key is a name, or a JSON pointer where it begins with a slash. */
export const pointerOfKey = (key: string): string =>
  key.startsWith('/') ? key : pointerTo('', key)

const hashOf = (label: string): string => createHash('sha256').update(label).digest('base64url')

/** The labels that filters find a document by. Its metadata are JSON or null. */
export function labelsOf(metadata: string | null): string[] {
  const labels: string[] = []
  const root: unknown = metadata === null ? {} : JSON.parse(metadata)
  for (const [member, value] of Object.entries(root ?? {})) {
    addLabels(labels, pointerTo('', member), value)
  }
  return labels
}

function addLabels(labels: string[], pointer: string, value: unknown): void {
  if (value === null) return
  labels.push(labelOf('x', pointer))
  const scalars = [value].flat().filter(isScalar)
  const others = scalars.filter((one) => typeof one !== 'number')
  const numbers = scalars.filter((one) => typeof one === 'number').map(codeOfNumber)
  const instants = others.flatMap(instantsOf).map(codeOfInstant)
  for (const one of new Set(others)) labels.push(labelOfScalar(pointer, one))
  addTerms(labels, labelPrefix('n', pointer), termsOfAll(numbers))
  addTerms(labels, labelPrefix('t', pointer), rangeTerms(instants))
  if (typeof value !== 'object') return
  for (const [member, child] of Object.entries(value)) {
    addLabels(labels, pointerTo(pointer, member), child)
  }
}

function addTerms(labels: string[], prefix: string, terms: Iterable<string>): void {
  for (const term of terms) labels.push(labelAt(prefix, term))
}

const isScalar = (value: unknown): value is Scalar =>
  ['string', 'number', 'boolean'].includes(typeof value)

const instantsOf = (value: Scalar) => (typeof value === 'string' ? (parseInstant(value) ?? []) : [])

const termsOfAll = (codes: Code[]): Iterable<string> =>
  codes.length > 1 ? new Set([...codes.map(exactTerm), ...rangeTerms(codes)]) : rangeTerms(codes)

/** Only the minimum and maximum matter for "above" and "below". */
function rangeTerms(codes: Code[]): Iterable<string> {
  const [first] = codes
  if (!first) return []
  if (codes.length === 1) return termsOf(first)
  const sorted = codes.toSorted((a, b) => (a.digits < b.digits ? -1 : 1))
  return new Set([...termsOf(sorted[0]!), ...termsOf(sorted.at(-1)!)])
}

type RangeKind = 'gt' | 'gte' | 'lt' | 'lte'

/** The labels of a range. A document with a number or instant in the range has one of them, others have none. */
export function labelsInRange(kind: RangeKind, pointer: string, value: number | string): string[] {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined
  if (typeof value === 'string' && !instant) return []
  const code = instant ? codeOfInstant(instant) : codeOfNumber(Number(value))
  return rangeOf(kind, code).map((term) => labelOf(instant ? 't' : 'n', pointer, term))
}

function rangeOf(kind: RangeKind, code: Code): string[] {
  const { least, greatest } = endsOf(code)
  const edge = kind === 'gt' ? neighbour(code, 1n) : kind === 'lt' ? neighbour(code, -1n) : code
  if (!edge) return []
  return kind.startsWith('g') ? termsBetween(edge, greatest) : termsBetween(least, edge)
}

const lengthOfHashed = 45

type Length = { characters: number; bytes: number }

const lengthOf = (text: string): Length => ({
  characters: text.length,
  bytes: Buffer.byteLength(text),
})

function labelBytes(pointer: Length, value: Length): number {
  const prefixLength = 1 + String(pointer.characters).length
  const characters = prefixLength + pointer.characters + value.characters
  return characters > maxLength ? lengthOfHashed : prefixLength + pointer.bytes + value.bytes
}

const none: Length = { characters: 0, bytes: 0 }
const ascii = (characters: number): Length => ({ characters, bytes: characters })
const longestBoolean = ascii('false'.length)

/** A possible date: a day has seven digits as a code, and a moment all of them. */
const date = /^\d{4}-\d\d-\d\d/
const lengthOfDate = 10
const [digitsOfDay, digitsOfMoment] = [7, 19]

/** A lower bound of the bytes that the labels of metadata take, without making them. */
export const bytesOfLabels = (metadata: object | null): number =>
  sum(Object.entries(metadata ?? {}), ([member, value]) => bytesAt(pointerTo('', member), value))

function bytesAt(pointer: string, value: unknown): number {
  if (value === null) return 0
  const place = lengthOf(pointer)
  const values = [value].flat()
  const own = labelBytes(place, none) + sum(values, (one) => bytesOfScalar(place, one))
  const ranges =
    rangeBytes(place, values.map(digitsOfNumber)) + rangeBytes(place, values.map(digitsOfDateIn), 1)
  if (typeof value !== 'object') return own + ranges
  const members = Object.entries(value)
  return (
    own + ranges + sum(members, ([member, child]) => bytesAt(pointerTo(pointer, member), child))
  )
}

function bytesOfScalar(place: Length, value: unknown): number {
  if (typeof value === 'string') return labelBytes(place, lengthOf(value))
  if (typeof value === 'boolean') return labelBytes(place, longestBoolean)
  return typeof value === 'number' ? labelBytes(place, ascii(lengthOfNumber(value) + 1)) : 0
}

const digitsOfNumber = (value: unknown): number =>
  typeof value === 'number' ? lengthOfNumber(value) : 0

function digitsOfDateIn(value: unknown): number {
  if (typeof value !== 'string' || !date.test(value)) return 0
  return value.length === lengthOfDate ? digitsOfDay : digitsOfMoment
}

/** The minimum and maximum have a label for each prefix of their digits. A date has one more for all. */
function rangeBytes(place: Length, digits: number[], wholes = 0): number {
  const most = digits.reduce((longest, one) => Math.max(longest, one), 0)
  if (most === 0) return 0
  const ends = Math.min(2, digits.filter((one) => one > 0).length)
  const lengths = Array.from({ length: most + wholes }, (_, index) => index + 1)
  return ends * sum(lengths, (length) => labelBytes(place, ascii(length)))
}

const sum = <Item>(items: Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0)
