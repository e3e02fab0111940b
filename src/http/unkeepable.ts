import type { Violation } from '../../generated/types.gen.ts'
import { escapePointer, maxViolations } from './violations.ts'

/** An object in the body and the way to it; a pointer is only made where one is needed. */
type Place = { value: object; member: string | number; parent: Place | undefined; depth: number }

/**
 * Every value that no schema leaves open lies in the first three levels, where the largest valid
 * body has about 2,000; metadata holds at most 8,192, for it is 16 KiB. Millions of values would
 * make millions of violations to name.
 */
const shallowDepth = 3
const maxValues = 10_000
/** Metadata ends at the 19th level of a body; what is deeper breaks a limit anyway. */
const maxDepth = 32

/**
 * The places of a body that would not come back as they were sent: lone surrogates, which no UTF-8
 * can hold, and numbers past the largest double, which are read as infinite; and where there are
 * more values than any valid body has.
 */
export function unkeepable(body: object): Violation[] {
  const violations: Violation[] = []
  const waiting: Place[] = [{ value: body, member: '', parent: undefined, depth: 0 }]
  let shallow = 0
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const size = sizeOf(place.value)
    if (place.depth < shallowDepth) shallow += size
    if (size > maxValues || shallow > maxValues) {
      return [{ pointer: pointerTo(place), detail: 'has too many values' }]
    }
    if (place.depth === maxDepth) continue
    for (const [member, value] of membersOf(place.value)) {
      const detail = faultOf(member, value)
      const child = { member, parent: place, depth: place.depth + 1 }
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
  return value === Infinity || value === -Infinity ? 'is too large a number' : undefined
}

const sizeOf = (value: object): number =>
  Array.isArray(value) ? value.length : Object.keys(value).length

const membersOf = (value: object): Iterable<[string | number, unknown]> =>
  Array.isArray(value) ? value.entries() : Object.entries(value)

function pointerTo({ member, parent }: Pick<Place, 'member' | 'parent'>): string {
  const members: string[] = []
  for (let [name, up] = [member, parent]; up; [name, up] = [up.member, up.parent]) {
    members.push(`/${escapePointer(String(name))}`)
  }
  return members.toReversed().join('')
}
