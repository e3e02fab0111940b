import { adds, breaks, type Change } from './change.ts'
import { canonical, isNode, membersOf, type Node, resolve } from './resolve.ts'
import type { Sides } from './sides.ts'

/** Compares two schemas, or their keywords alone. */
export type Compare = {
  schemas: (sides: Sides, old: unknown, now: unknown, at: string) => Change[]
  keywords: (sides: Sides, old: Node, now: Node, at: string) => Change[]
}

type Alternatives = { compare: Compare; sides: Sides; old: Node[]; now: Node[]; at: string }

export const hasAlternatives = (node: Node): boolean => 'oneOf' in node || 'anyOf' in node

/**
 * The changes of alternatives (`oneOf`, `anyOf`, a list of types). A request must match one of the new ones, and an
 * answer one of the old ones.
 */
export function alternativeChanges(
  compare: Compare,
  sides: Sides,
  was: Node,
  is: Node,
  at: string,
): Change[] {
  const [old, now] = [split(was), split(is)]
  const { discriminator: from, ...before } = old.shared
  const { discriminator: to, ...after } = now.shared
  return [
    ...compare.keywords(sides, before, after, at),
    ...discriminatorChanges(compare, sides, from, to, at),
    ...chosenChanges({ compare, sides, old: old.alternatives, now: now.alternatives, at }),
  ]
}

/** The keywords beside the alternatives, and the alternatives. A schema without alternatives is its only one. */
function split(node: Node): { shared: Node; alternatives: Node[] } {
  const { oneOf, anyOf, ...shared } = node
  if (oneOf ?? anyOf) return { shared, alternatives: [oneOf ?? [], anyOf ?? []].flat() as Node[] }
  if (!Array.isArray(node.type)) return { shared: {}, alternatives: [node] }
  return { shared: {}, alternatives: node.type.map((type) => ofType(node, String(type))) }
}

const keywordsOf: Record<string, string[]> = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'contentSchema'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'x-unique-by'],
  object: ['properties', 'required', 'additionalProperties', 'x-json-limits'],
  number: ['minimum', 'maximum', 'multipleOf'],
}

/** The schema for values of one type, without keywords for others. */
function ofType(node: Node, type: string): Node {
  const others = Object.entries(keywordsOf).filter(([other]) => other !== type)
  const foreign = new Set(others.flatMap(([, keywords]) => keywords))
  const own = Object.entries(node).filter(([keyword]) => !foreign.has(keyword))
  return { ...Object.fromEntries(own), type }
}

function discriminatorChanges(
  compare: Compare,
  sides: Sides,
  from: unknown,
  to: unknown,
  at: string,
): Change[] {
  const [was, is] = [isNode(from) ? from : {}, isNode(to) ? to : {}]
  if (!from && !to) return []
  const place = `${at}/discriminator`
  if (was.propertyName !== is.propertyName) {
    const text = `${place}: ${String(was.propertyName)} → ${String(is.propertyName)}`
    return [from ? breaks(text) : adds(text)]
  }
  const targets = new Map(membersOf(is.mapping))
  const olds = membersOf(was.mapping)
  const added = [...targets.keys()].filter((tag) => !olds.some(([old]) => old === tag))
  return [
    ...added.map((tag) => adds(`${place}/${tag}: added`)),
    ...olds.flatMap(([tag, $ref]) =>
      targets.has(tag)
        ? compare.schemas(sides, { $ref }, { $ref: targets.get(tag) }, `${place}/${tag}`)
        : [breaks(`${place}/${tag}: removed`)],
    ),
  ]
}

function chosenChanges(all: Alternatives): Change[] {
  const { compare, sides, old, now, at } = all
  const isRequest = sides.direction === 'request'
  const changesOf = (before: Node, after: Node) =>
    compare.schemas({ ...sides, compared: new Set(sides.compared) }, before, after, at)
  const [[was], [is]] = [old, now]
  if (old.length === 1 && was) {
    const each = now.map((one) => changesOf(was, one))
    return isRequest ? leastBroken(each) : common(each)
  }
  if (now.length === 1 && is) {
    const each = old.map((one) => changesOf(one, is))
    return isRequest ? each.flat() : leastBroken(each)
  }
  return pairedChanges(all)
}

const leastBroken = (each: Change[][]): Change[] =>
  each.toSorted((a, b) => countOf(a) - countOf(b))[0] ?? []

const countOf = (changes: Change[]): number =>
  changes.filter(({ kind }) => kind === 'breaks').length

/** The members of all alternatives together: one that an alternative lacks may be in another. */
const common = ([first = [], ...others]: Change[][]): Change[] =>
  first.filter(({ text }) => others.every((other) => other.some((one) => one.text === text)))

function pairedChanges({ compare, sides, old, now, at }: Alternatives): Change[] {
  const left = new Set(now)
  const changes = old.flatMap((one) => {
    const label = labelOf(sides.before, one)
    const all = [...left]
    const other =
      all.find(({ $ref }) => $ref !== undefined && $ref === one.$ref) ??
      all.find((each) => labelOf(sides.after, each) === label)
    if (!other) return [breaks(`${at}: ${label} removed`)]
    left.delete(other)
    return compare.schemas(sides, one, other, `${at}/${label}`)
  })
  return [...changes, ...[...left].map((one) => adds(`${at}: ${labelOf(sides.after, one)} added`))]
}

/** Identifies an alternative whose name has changed: by its constants, or else its type. */
function labelOf(document: Node, alternative: Node): string {
  const { node } = resolve({ document, node: alternative })
  const [constants] = membersOf(node.properties).flatMap(([name, member]) => {
    const { const: only, enum: values = only } = isNode(member) ? member : {}
    return values === undefined ? [] : `${name} ${canonical([values].flat())}`
  })
  return constants ?? String(node.type)
}
