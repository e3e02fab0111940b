import { labelBytes, type Length, lengthOf, pointerTo } from './label.ts'
import { lengthOfNumber } from './ordered-code.ts'

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
