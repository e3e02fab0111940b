import { canonical, membersOf, type Node, prose, resolve, shown } from './resolve.ts'

/** Who is held to a schema: callers, by a request's; the service, by an answer's. */
export type Direction = 'request' | 'answer'

/** Both documents; `told` are the shared schemas that were compared already. */
export type Sides = { before: Node; after: Node; direction: Direction; told: Set<string> }

const lower = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'])
const upper = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'])

/**
 * Each change from one schema to another that breaks those who keep to the first: a request may
 * be held to less and never to more, an answer to more and never to less.
 */
export function schemaChanges(sides: Sides, old: unknown, now: unknown, place: string): string[] {
  const was = resolve({ document: sides.before, node: old })
  const is = resolve({ document: sides.after, node: now })
  const shared =
    was.name !== undefined && was.name === is.name ? `${sides.direction} ${is.name}` : undefined
  if (shared !== undefined && sides.told.has(shared)) return []
  if (shared !== undefined) sides.told.add(shared)
  const at = shared ?? place
  const keywords = new Set([...Object.keys(was.node), ...Object.keys(is.node)])
  return [...keywords].flatMap((keyword) => {
    if (prose.has(keyword)) return []
    const [from, to] = [was.node[keyword], is.node[keyword]]
    if (keyword === 'properties') return propertyChanges(sides, from, to, at)
    if (keyword === 'items') return schemaChanges(sides, from, to, `${at}/items`)
    return canonical(from) === canonical(to) || isAllowed(sides.direction, keyword, from, to)
      ? []
      : [`${at}/${keyword}: ${difference(from, to)}`]
  })
}

function propertyChanges(sides: Sides, old: unknown, now: unknown, at: string): string[] {
  const present = new Map(membersOf(now))
  return membersOf(old).flatMap(([name, schema]) =>
    present.has(name)
      ? schemaChanges(sides, schema, present.get(name), `${at}/${name}`)
      : [`${at}/${name}: removed`],
  )
}

function isAllowed(direction: Direction, keyword: string, from: unknown, to: unknown): boolean {
  const isRequest = direction === 'request'
  if (keyword === 'default') return from === undefined
  if (keyword === 'required') return isRequest ? isPart(to, from) : isPart(from, to)
  // Answers may grow: a value more is no change.
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

/** Of lists what came and went, of everything else both values. */
function difference(from: unknown, to: unknown): string {
  if (!Array.isArray(from) || !Array.isArray(to)) return `${shown(from)} → ${shown(to)}`
  const gone = from.filter((one) => !to.includes(one)).map((one) => `- ${shown(one)}`)
  const come = to.filter((one) => !from.includes(one)).map((one) => `+ ${shown(one)}`)
  return [...gone, ...come].join(', ')
}
