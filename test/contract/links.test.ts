import { expect, test } from 'vitest'
import { type Json, type Link, type Operation, operations } from '../support/contract.ts'
import { send } from '../support/raw.ts'
import { makeThings, replaced, requestFor } from '../support/requests.ts'
import { joinServer } from '../support/server.ts'

/** An answer's links lead to the operations that take its ids; /docs fills them in by these. */

const { client, url } = await joinServer()
let things = await makeThings(client)
const linksOf = ({ responses }: Operation): Link[] =>
  Object.values(responses).flatMap(({ links = {} }) => Object.values(links))
const inPath = ({ parameters }: Operation) => parameters.filter((one) => one.in === 'path')

test('every operation with ids in its path is led to, with all of them', () => {
  const links = operations.flatMap(linksOf)
  const led = operations.filter(({ operationId, ...operation }) =>
    links.some(
      (link) =>
        link.operationId === operationId &&
        inPath({ operationId, ...operation }).every(({ name }) => name in link.parameters),
    ),
  )
  const withIds = operations.filter((operation) => inPath(operation).length > 0)
  expect(led).toEqual(expect.arrayContaining(withIds))
})

const all = operations.flatMap((from) =>
  linksOf(from).map((link) => [from.operationId, link.operationId, from, link] as const),
)

test.each(all)('what %s answers is taken by %s', async (_, operationId, from, link) => {
  const { path, body } = requestFor(from, things)
  const answer = await send(url, from.method, path, { body })
  const valueOf = valueIn(from, path, (await answer.json()) as Json)
  const to = operations.find((operation) => operation.operationId === operationId)!
  const { path: examplePath, body: example } = requestFor(to, things)
  const [withoutQuery = '', query = ''] = examplePath.split(/(?=\?)/)
  const exampleOf = valueIn(to, withoutQuery, {})
  const target = to.path.replaceAll(/\{(\w+)\}/g, (_all, name) =>
    name in link.parameters ? valueOf(link.parameters[name]!) : exampleOf(`$request.path.${name}`),
  )
  const members = Object.entries(link['x-request-body'] ?? {})
  const own = Object.fromEntries(
    members.map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(valueOf) : valueOf(value),
    ]),
  )
  const sent = example && JSON.stringify({ ...JSON.parse(example), ...own })
  const answered = await send(url, to.method, target + query, { body: sent })
  expect(answered.status).toBeLessThan(300)
  for (const operation of [from, to]) things = await replaced(client, things, operation)
})

/** Reads an expression of OpenAPI: `$request.path.id`, `$response.body#/ids/0`. */
function valueIn(from: Operation, path: string, body: Json): (expression: string) => string {
  const names = Array.from(from.path.matchAll(/\{(\w+)\}/g), ([, name]) => name)
  const values = new RegExp(`^${from.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(path)
  return (expression) => {
    const [, name, pointer = ''] = /^\$(?:request\.path\.(\w+)|response\.body#\/(.+))$/.exec(
      expression,
    )!
    if (name) return values![names.indexOf(name) + 1]!
    return String(pointer.split('/').reduce((node, key) => (node as never)[key], body))
  }
}
