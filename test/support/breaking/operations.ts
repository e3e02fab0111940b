import { canonical, isNode, membersOf, type Node, resolve, shown } from './resolve.ts'
import { schemaChanges, type Sides } from './schemas.ts'

const methods = new Set(['get', 'put', 'post', 'patch', 'delete', 'head', 'options', 'trace'])

/**
 * What breaks somebody who keeps to the document before, a line each, with the place and both
 * values. What was only added is none.
 */
export function breakingChanges(before: Node, after: Node): string[] {
  const now = operationsOf(after)
  const told = new Set<string>()
  const operations = [...operationsOf(before)].flatMap(([label, old]) => {
    const operation = now.get(label)
    return operation
      ? operationChanges({ before, after, told }, label, old, operation)
      : [`${label}: removed`]
  })
  const [was, is] = [wholeOf(before), wholeOf(after)]
  return [...new Set([...operations, ...valueChanges('#', was, is)])]
}

/** What holds for all operations: where the service is, how it is entered, and the status of each code. */
const wholeOf = ({ servers, components, 'x-problems': problems }: Node): Node => ({
  servers,
  securitySchemes: isNode(components) ? components.securitySchemes : undefined,
  problems: Object.fromEntries(
    membersOf(problems).map(([code, problem]) => [code, isNode(problem) ? problem.status : 0]),
  ),
})

type Operation = Node & { item: Node }

/** Every operation by its method and path. */
function operationsOf({ paths }: Node): Map<string, Operation> {
  return new Map(
    membersOf(paths).flatMap(([path, item]) =>
      membersOf(item)
        .filter(([method]) => methods.has(method))
        .map(([method, operation]) => [
          `${method.toUpperCase()} ${path}`,
          { ...(operation as Node), item: item as Node },
        ]),
    ),
  )
}

function operationChanges(
  documents: Omit<Sides, 'direction'>,
  label: string,
  old: Operation,
  now: Operation,
): string[] {
  const request: Sides = { ...documents, direction: 'request' }
  const answer: Sides = { ...documents, direction: 'answer' }
  return [
    ...valueChanges(`${label} operationId`, old.operationId, now.operationId),
    ...valueChanges(`${label} security`, old.security, now.security),
    ...parameterChanges(request, label, old, now),
    ...bodyChanges(request, label, old.requestBody, now.requestBody),
    ...answerChanges(answer, label, old.responses, now.responses),
  ]
}

function parameterChanges(sides: Sides, label: string, old: Operation, now: Operation): string[] {
  const was = parametersOf(sides.before, old)
  const is = parametersOf(sides.after, now)
  const added = [...is].flatMap(([name, { required }]) =>
    required && !was.has(name) ? [`${label} ${name}: added, and required`] : [],
  )
  const changed = [...was].flatMap(([name, parameter]) => {
    const other = is.get(name)
    if (!other) return [`${label} ${name}: removed`]
    const place = `${label} ${name}`
    const examples = examplesOf(other)
    const lost = examplesOf(parameter).filter((example) => !examples.includes(example))
    return [
      ...lost.map((example) => `${place} example ${shown(example)}: removed`),
      ...(other.required && !parameter.required ? [`${place}: required`] : []),
      ...valueChanges(`${place} style`, parameter.style, other.style),
      ...valueChanges(`${place} explode`, parameter.explode, other.explode),
      ...schemaChanges(sides, parameter.schema, other.schema, place),
    ]
  })
  return [...added, ...changed]
}

const examplesOf = ({ example, schema }: Node): unknown[] => {
  const { examples } = schema as { examples?: unknown[] }
  return [...(example === undefined ? [] : [example]), ...(examples ?? [])]
}

/** Parameters by where they stand and their name. */
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

function bodyChanges(sides: Sides, label: string, old: unknown, now: unknown): string[] {
  const { node: was } = resolve({ document: sides.before, node: old })
  const { node: is } = resolve({ document: sides.after, node: now })
  if (was.content && !is.content) return [`${label} body: removed`]
  return [
    ...(is.required && !was.required ? [`${label} body: required`] : []),
    ...contentChanges(sides, `${label} body`, was.content, is.content),
  ]
}

function answerChanges(sides: Sides, label: string, old: unknown, now: unknown): string[] {
  const present = new Map(membersOf(now))
  return membersOf(old).flatMap(([status, answer]) => {
    const place = `${label} ${status}`
    if (!present.has(status)) return [`${place}: removed`]
    const { node: was } = resolve({ document: sides.before, node: answer })
    const { node: is } = resolve({ document: sides.after, node: present.get(status) })
    return [
      ...headerChanges(sides, place, was.headers, is.headers),
      ...contentChanges(sides, place, was.content, is.content),
    ]
  })
}

function headerChanges(sides: Sides, place: string, old: unknown, now: unknown): string[] {
  const present = new Map(membersOf(now))
  return membersOf(old).flatMap(([name, header]) => {
    if (!present.has(name)) return [`${place} ${name}: removed`]
    const was = resolve({ document: sides.before, node: header })
    const is = resolve({ document: sides.after, node: present.get(name) })
    const at = is.name !== undefined && was.name === is.name ? is.name : `${place} ${name}`
    return [
      ...(was.node.required && !is.node.required ? [`${at}: no longer required`] : []),
      ...valueChanges(`${at} example`, was.node.example, is.node.example),
      ...schemaChanges(sides, was.node.schema, is.node.schema, at),
    ]
  })
}

function contentChanges(sides: Sides, place: string, old: unknown, now: unknown): string[] {
  const present = new Map(membersOf(now))
  return membersOf(old).flatMap(([type, media]) => {
    const other = present.get(type)
    if (!isNode(media) || !isNode(other)) return [`${place} ${type}: removed`]
    return [
      ...schemaChanges(sides, media.schema, other.schema, `${place} ${type}`),
      ...exampleChanges(sides, `${place} ${type}`, media.examples, other.examples),
    ]
  })
}

/** What an example of a Problem says of the case alone. */
const ofTheCase = ['/detail', '/instance', '/requestId', '/errors']

/** Examples are what callers copy: one that goes or changes is named too. */
function exampleChanges(sides: Sides, place: string, old: unknown, now: unknown): string[] {
  const present = new Map(membersOf(now))
  return membersOf(old).flatMap(([key, example]) => {
    const was = resolve({ document: sides.before, node: example })
    const is = resolve({ document: sides.after, node: present.get(key) })
    const at = was.name ?? `${place} example ${key}`
    return valueChanges(at, was.node.value, is.node.value).filter(
      (line) => !/ [45]\d\d /.test(place) || !ofTheCase.some((end) => line.includes(`${end}: `)),
    )
  })
}

/** Of two values, and of two objects member by member, what is not the same. */
function valueChanges(place: string, from: unknown, to: unknown): string[] {
  if (canonical(from) === canonical(to)) return []
  if (!isNode(from) || !isNode(to)) return [`${place}: ${shown(from)} → ${shown(to)}`]
  return membersOf(from).flatMap(([member, value]) =>
    member === 'description' ? [] : valueChanges(`${place}/${member}`, value, to[member]),
  )
}
