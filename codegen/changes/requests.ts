import { adds, breaks, type Change } from './change.ts'
import { contentChanges } from './content.ts'
import { keywordChange } from './keywords.ts'
import { type Node, resolve, shown } from './resolve.ts'
import { schemaChanges } from './schemas.ts'
import type { Sides } from './sides.ts'
import { formChanges } from './values.ts'

/** An operation with its path item. */
export type Operation = Node & { item: Node }

export function parameterChanges(
  sides: Sides,
  label: string,
  old: Operation,
  now: Operation,
): Change[] {
  const was = parametersOf(sides.before, old)
  const is = parametersOf(sides.after, now)
  const added = [...is]
    .filter(([name]) => !was.has(name))
    .map(([name, { required }]) =>
      required ? breaks(`${label} ${name}: added, and required`) : adds(`${label} ${name}: added`),
    )
  const changed = [...was].flatMap(([name, parameter]) => {
    const other = is.get(name)
    return other
      ? parameterChange(sides, `${label} ${name}`, parameter, other)
      : [breaks(`${label} ${name}: removed`)]
  })
  return [...added, ...changed]
}

function parameterChange(sides: Sides, place: string, old: Node, now: Node): Change[] {
  const examples = examplesOf(sides.after, now)
  const lost = examplesOf(sides.before, old).filter((one) => !examples.includes(one))
  return [
    ...lost.map((example) => breaks(`${place} example ${shown(example)}: removed`)),
    ...(now.required && !old.required ? [breaks(`${place}: required`)] : []),
    ...(old.required && !now.required ? [adds(`${place}: no longer required`)] : []),
    ...formChanges(place, old, now),
    ...schemaChanges(sides, old.schema, now.schema, place),
  ]
}

function examplesOf(document: Node, { example, schema }: Node): unknown[] {
  const { examples } = resolve({ document, node: schema }).node as { examples?: unknown[] }
  return [...(example === undefined ? [] : [example]), ...(examples ?? [])]
}

/** Parameters by place and name, such as `query limit`. */
function parametersOf(document: Node, { item, parameters }: Operation): Map<string, Node> {
  const all = [item.parameters, parameters].flatMap((some) => (Array.isArray(some) ? some : []))
  return new Map(
    all.map((one) => {
      const { node } = resolve({ document, node: one })
      const name = String(node.name)
      return [`${String(node.in)} ${node.in === 'header' ? name.toLowerCase() : name}`, node]
    }),
  )
}

export function bodyChanges(sides: Sides, label: string, old: unknown, now: unknown): Change[] {
  const { node: was } = resolve({ document: sides.before, node: old })
  const { node: is } = resolve({ document: sides.after, node: now })
  if (was.content && !is.content) return [breaks(`${label} body: removed`)]
  const [from, to] = [was['x-max-bytes'], is['x-max-bytes']]
  return [
    ...(is.required && !was.required ? [breaks(`${label} body: required`)] : []),
    ...(was.required && !is.required ? [adds(`${label} body: no longer required`)] : []),
    ...keywordChange('request', 'maximum', from, to, `${label} body/x-max-bytes`),
    ...contentChanges(sides, `${label} body`, was.content, is.content),
  ]
}
