import { alternativeChanges, hasAlternatives } from './alternatives.ts'
import { adds, breaks, type Change, warns } from './change.ts'
import { keywordChange } from './keywords.ts'
import { at as found, isNode, membersOf, type Node, prose, resolve } from './resolve.ts'
import type { Sides } from './sides.ts'

/** The changes between two schemas. A pair of shared schemas is compared once, because a schema may hold itself. */
export function schemaChanges(sides: Sides, old: unknown, now: unknown, place: string): Change[] {
  const was = resolve({ document: sides.before, node: old })
  const is = resolve({ document: sides.after, node: now })
  if (was.name !== undefined && is.name !== undefined) {
    const pair = `${sides.direction} ${was.name} ${is.name}`
    if (sides.compared.has(pair)) return []
    sides.compared.add(pair)
  }
  const isShared = was.name !== undefined && was.name === is.name
  const at = isShared ? `${sides.direction} ${is.name}` : place
  return [...nameChange(sides, was.name, is.name), ...nodeChanges(sides, was.node, is.node, at)]
}

/** Generators name types for schemas. */
function nameChange({ after }: Sides, was: string | undefined, is: string | undefined): Change[] {
  if (was === undefined || is === undefined || found(after, was) !== undefined) return []
  return [warns(`${was}: is called ${is}`)]
}

function nodeChanges(sides: Sides, old: Node, now: Node, at: string): Change[] {
  const [was, is] = [withoutConstant(old), withoutConstant(now)]
  const isChosen = hasAlternatives(was) || hasAlternatives(is)
  return isChosen
    ? alternativeChanges(compare, sides, was, is, at)
    : keywordChanges(sides, was, is, at)
}

/** A constant is an enumeration of one. */
function withoutConstant({ const: only, ...node }: Node): Node {
  return only === undefined ? node : { ...node, enum: [only] }
}

/** What became of the keywords of two schemas, those of `oneOf` and `anyOf` left to others. */
function keywordChanges(sides: Sides, was: Node, is: Node, at: string): Change[] {
  const keywords = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...keywords].flatMap((keyword) => {
    const [from, to] = [was[keyword], is[keyword]]
    if (keyword === 'deprecated' && to && !from) return [warns(`${at}: deprecated`)]
    if (prose.has(keyword)) return []
    if (keyword === 'properties') return propertyChanges(sides, from, to, at)
    if (keyword === 'allOf') return listChanges(sides, keyword, from, to, at)
    if (keyword === 'prefixItems') return listChanges(sides, keyword, from, to, at)
    const holdsSchema = ['items', 'additionalProperties', 'contentSchema'].includes(keyword)
    return holdsSchema && isNode(from) && isNode(to)
      ? schemaChanges(sides, from, to, `${at}/${keyword}`)
      : keywordChange(sides.direction, keyword, from, to, at)
  })
}

const compare = { schemas: schemaChanges, keywords: keywordChanges }

function propertyChanges(sides: Sides, old: unknown, now: unknown, at: string): Change[] {
  const [before, present] = [new Map(membersOf(old)), new Map(membersOf(now))]
  const added = [...present.keys()].filter((name) => !before.has(name))
  return [
    ...added.map((name) => adds(`${at}/${name}: added`)),
    ...[...before].flatMap(([name, schema]) =>
      present.has(name)
        ? schemaChanges(sides, schema, present.get(name), `${at}/${name}`)
        : [breaks(`${at}/${name}: removed`)],
    ),
  ]
}

/** Schemas that all hold, by their order. */
function listChanges(
  sides: Sides,
  keyword: string,
  old: unknown,
  now: unknown,
  at: string,
): Change[] {
  const [was, is] = [old ?? [], now ?? []] as [unknown[], unknown[]]
  const length = Math.max(was.length, is.length)
  return Array.from({ length }, (_, index) => index).flatMap((index) =>
    index < was.length && index < is.length
      ? schemaChanges(sides, was[index], is[index], `${at}/${keyword}/${index}`)
      : keywordChange(sides.direction, `${keyword}/${index}`, was[index], is[index], at),
  )
}
