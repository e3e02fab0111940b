import { createHash } from 'node:crypto'
import { codeOfNumber } from './ordered-code.ts'
import { exactTerm } from './range-terms.ts'

export type Scalar = string | number | boolean

type LabelKind = 's' | 'n' | 'b' | 't' | 'x'

const maxLength = 96

/** Two labels are equal if kind, pointer and value are. The length shows where the pointer ends. */
export const labelOf = (kind: LabelKind, pointer: string, value = ''): string =>
  labelAt(labelPrefix(kind, pointer), value)

/** The common prefix of a kind's labels at a place, because a number has many there. */
export const labelPrefix = (kind: LabelKind, pointer: string): string =>
  `${kind}${pointer.length}${pointer}`

export function labelAt(beginning: string, value: string): string {
  const label = beginning + value
  return label.length <= maxLength ? label : `${label[0]}#${hashOf(label)}`
}

const lengthOfHashed = 45

export type Length = { characters: number; bytes: number }

export const lengthOf = (text: string): Length => ({
  characters: text.length,
  bytes: Buffer.byteLength(text),
})

export function labelBytes(pointer: Length, value: Length): number {
  const beginning = 1 + String(pointer.characters).length
  const characters = beginning + pointer.characters + value.characters
  return characters > maxLength ? lengthOfHashed : beginning + pointer.bytes + value.bytes
}

export function labelOfScalar(pointer: string, value: Scalar): string {
  if (typeof value === 'string') return labelOf('s', pointer, value)
  if (typeof value === 'boolean') return labelOf('b', pointer, String(value))
  return labelOf('n', pointer, exactTerm(codeOfNumber(value)))
}

export const pointerTo = (parent: string, member: string | number): string =>
  `${parent}/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** A key is a name, or a JSON pointer where it begins with a slash. */
export const pointerOfKey = (key: string): string =>
  key.startsWith('/') ? key : pointerTo('', key)

const hashOf = (label: string): string => createHash('sha256').update(label).digest('base64url')
