import { adds, breaks, type Change, warns } from './change.ts'
import { answerChanges } from './answers.ts'
import { canonical, isNode, membersOf, type Node, shown } from './resolve.ts'
import { bodyChanges, type Operation, parameterChanges } from './requests.ts'
import { schemaChanges } from './schemas.ts'
import type { Sides } from './sides.ts'
import { valueChanges } from './values.ts'
import { withProblemExamples } from '../expand-shorthands.ts'

const methods = new Set(['get', 'put', 'post', 'patch', 'delete', 'head', 'options', 'trace'])

/** All changes between two contracts, except of prose, each once, with its place and both values. */
export function contractChanges(released: Node, current: Node): Change[] {
  const [before, after] = [withProblemExamples(released), withProblemExamples(current)]
  const [old, now] = [operationsOf(before), operationsOf(after)]
  const documents = { before, after, compared: new Set<string>() }
  const added = [...now.keys()].filter((label) => !old.has(label))
  const changes = [
    ...added.map((label) => adds(`${label}: added`)),
    ...[...old].flatMap(([label, operation]) => {
      const other = now.get(label)
      return other
        ? operationChanges(documents, label, operation, other)
        : [breaks(`${label}: removed`)]
    }),
    ...valueChanges('#', wholeOf(before), wholeOf(after)),
    ...titleChanges(before, after),
    ...toolingChanges(before, after),
  ]
  return [...new Map(changes.map((change) => [change.text, change])).values()]
}

/** The parts that hold for all operations: servers, authentication, and the status of each problem code. */
const wholeOf = ({ servers, components, 'x-problems': problems }: Node): Node => ({
  servers,
  securitySchemes: isNode(components) ? components.securitySchemes : undefined,
  problems: Object.fromEntries(
    membersOf(problems).map(([code, problem]) => [code, isNode(problem) ? problem.status : 0]),
  ),
})

/** The members by which tools choose how to read a document, and what to call it. */
const toolingOf = ({ openapi, jsonSchemaDialect, info }: Node): Node => ({
  openapi,
  jsonSchemaDialect,
  title: isNode(info) ? info.title : undefined,
})

const toolingChanges = (before: Node, after: Node): Change[] =>
  valueChanges('#', toolingOf(before), toolingOf(after)).map(({ text }) => warns(text))

const titleChanges = (before: Node, after: Node): Change[] => {
  const now = new Map(membersOf(after['x-problems']))
  return membersOf(before['x-problems']).flatMap(([code, old]) => {
    const [was, is] = [old, now.get(code)].map((one) => (isNode(one) ? one.title : undefined))
    return is === undefined || was === is
      ? []
      : [warns(`#/problems/${code}: is called ${shown(is)}`)]
  })
}

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
): Change[] {
  const request: Sides = { ...documents, direction: 'request' }
  const answer: Sides = { ...documents, direction: 'answer' }
  return [
    ...(now.deprecated && !old.deprecated ? [warns(`${label}: deprecated`)] : []),
    // Some generators make a class of each tag.
    ...(canonical(old.tags) === canonical(now.tags)
      ? []
      : [warns(`${label} tags: ${shown(old.tags)} → ${shown(now.tags)}`)]),
    ...valueChanges(`${label} operationId`, old.operationId, now.operationId),
    ...valueChanges(`${label} security`, old.security, now.security),
    ...serverChanges(label, old, now),
    ...toolChanges(request, label, old['x-mcp-tool'], now['x-mcp-tool']),
    ...parameterChanges(request, label, old, now),
    ...bodyChanges(request, label, old.requestBody, now.requestBody),
    ...answerChanges(answer, label, old.responses, now.responses),
  ]
}

/** Servers of the operation or of its path, which replace those of the document. */
function serverChanges(label: string, old: Operation, now: Operation): Change[] {
  const [was, is] = [old, now].map(({ servers, item }) => servers ?? item.servers)
  return canonical(was) === canonical(is)
    ? []
    : [breaks(`${label} servers: ${shown(was)} → ${shown(is)}`)]
}

/** Changes of the tool for assistants. */
function toolChanges(sides: Sides, label: string, old: unknown, now: unknown): Change[] {
  const place = `${label} x-mcp-tool`
  if (!isNode(old)) return isNode(now) ? [adds(`${place}: added`)] : []
  if (!isNode(now)) return [breaks(`${place}: removed`)]
  return [
    ...valueChanges(`${place} name`, old.name, now.name),
    ...schemaChanges(sides, taken(old), taken(now), place),
  ]
}

/** The arguments of a tool, as a schema: members of the operation's body, and its own. */
const taken = ({ body = [], properties, required = [] }: Node): Node => ({
  properties: {
    ...Object.fromEntries([body].flat().map((member) => [String(member), {}])),
    ...(isNode(properties) && properties),
  },
  required,
})
