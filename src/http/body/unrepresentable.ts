import type { Violation } from '../../../generated/types.gen.ts'
import { maxViolations } from '../../errors/errors.ts'
import { escapePointer } from './json-pointer.ts'
import type { ByteSpan } from './json-scanner.ts'

/** Makes the numbers infinite, so that `findUnrepresentable` finds their places. */
export function writeInfinite(json: Buffer, numbers: ByteSpan[]): void {
  for (const [start, end] of numbers) json.fill(' ', start, end).write('9e999', start)
}

type Place = { value: object; member: string | number; parent: Place | undefined }

/** Finds values that JSON does not keep as sent: half surrogate pairs and infinite numbers. */
export function findUnrepresentable(body: object): Violation[] {
  const violations: Violation[] = []
  const waiting: Place[] = [{ value: body, member: '', parent: undefined }]
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    for (const [member, value] of membersOf(place.value)) {
      const detail = faultOf(member, value)
      const child = { member, parent: place }
      if (detail) violations.push({ pointer: pointerTo(child), detail })
      if (violations.length === maxViolations) return violations
      if (typeof value === 'object' && value !== null) waiting.push({ ...child, value })
    }
  }
  return violations
}

function faultOf(member: string | number, value: unknown): string | undefined {
  if (typeof member === 'string' && !member.isWellFormed()) {
    return 'has half of a surrogate pair in its name'
  }
  if (typeof value === 'string' && !value.isWellFormed()) return 'has half of a surrogate pair'
  return value === Infinity || value === -Infinity
    ? 'is a number that would not come back as it was sent'
    : undefined
}

const membersOf = (value: object): Iterable<[string | number, unknown]> =>
  Array.isArray(value) ? value.entries() : Object.entries(value)

function pointerTo({ member, parent }: Omit<Place, 'value'>): string {
  const members: string[] = []
  for (let [name, up] = [member, parent]; up; [name, up] = [up.member, up.parent]) {
    members.push(`/${escapePointer(String(name))}`)
  }
  return members.toReversed().join('')
}
