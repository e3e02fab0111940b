import { adds, breaks, type Change } from './change.ts'
import { canonical, membersOf, shown } from './resolve.ts'

/** Callers must keep to the schema of a request, the service to that of an answer. */
export type Direction = 'request' | 'answer'

const lower = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'])
const upper = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'])
/** Keywords whose members are upper limits. */
const limits = new Set(['x-json-limits', 'x-filter-limits'])

/** The change of a keyword's value. A request's schema may only get looser, and an answer's only stricter. */
export function keywordChange(
  direction: Direction,
  keyword: string,
  from: unknown,
  to: unknown,
  at: string,
): Change[] {
  if (canonical(from) === canonical(to)) return []
  if (limits.has(keyword) && from && to) {
    const now = new Map(membersOf(to))
    return membersOf(from).flatMap(([limit, value]) =>
      keywordChange(direction, 'maximum', value, now.get(limit), `${at}/${keyword}/${limit}`),
    )
  }
  const text = `${at}/${keyword}: ${difference(from, to)}`
  return [isAllowed(direction, keyword, from, to) ? adds(text) : breaks(text)]
}

function isAllowed(direction: Direction, keyword: string, from: unknown, to: unknown): boolean {
  const isRequest = direction === 'request'
  if (keyword === 'default') return from === undefined
  // Typed clients get another type.
  if (keyword === 'format') return isRequest && to === undefined
  if (keyword === 'additionalProperties') return !isRequest || to !== false
  if (keyword === 'required') return isRequest ? isPart(to, from) : isPart(from, to)
  // Answers may grow, so another value does not break.
  if (keyword === 'enum' && from && to) return isPart(from, to)
  if (keyword === 'type' && from && to) return isRequest ? isPart(from, to) : isPart(to, from)
  if (from === undefined) return !isRequest
  if (to === undefined) return isRequest
  if (lower.has(keyword)) return isRequest === Number(to) < Number(from)
  if (upper.has(keyword)) return isRequest === Number(to) > Number(from)
  return false
}

const listOf = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat())

const isPart = (some: unknown, all: unknown): boolean =>
  listOf(some).every((one) => listOf(all).includes(one))

/** The added and removed items of lists, or both values of anything else. */
function difference(from: unknown, to: unknown): string {
  if (!Array.isArray(from) || !Array.isArray(to)) return `${shown(from)} → ${shown(to)}`
  const gone = from.filter((one) => !to.includes(one)).map((one) => `- ${shown(one)}`)
  const come = to.filter((one) => !from.includes(one)).map((one) => `+ ${shown(one)}`)
  return [...gone, ...come].join(', ')
}
