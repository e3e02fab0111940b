import { expect, test } from 'vitest'
import { complaint, document, type Json, type Operation, operations } from '../support/contract.ts'
import { placesOf, send } from '../support/raw.ts'
import {
  examplesOf,
  makeThings,
  mediaOf,
  named,
  pathOf,
  replaced,
  takesJson,
  withIds,
} from '../support/requests.ts'
import { startServer, testKey } from '../support/server.ts'

/** Everything here is derived from the contract: an operation added to it is tested by this file. */

const { client, url } = await startServer()

let things = await makeThings(client)
/** The text with ids of things that are there in the place of the examples'. */
const filled = (text: string): string => withIds(text, things)

const aBody = (operation: Operation): { body?: string } => {
  const [example] = examplesOf(operation)
  return example === undefined ? {} : { body: JSON.stringify(example) }
}

/** What an operation answers to a body and headers, by default its first example. */
async function attempt(
  operation: Operation,
  { body = aBody(operation).body, headers = {} }: { body?: string | Uint8Array; headers?: object },
): Promise<Response> {
  const content = typeof body === 'string' ? filled(body) : body
  const request = { ...(content !== undefined && { body: content }), headers: { ...headers } }
  const response = await send(url, operation.method, filled(pathOf(operation)), request)
  if (response.ok) things = await replaced(client, things, operation)
  return response
}

const secured = operations.filter(({ security }) => security.length > 0)
const withBody = operations.filter(({ requestBody }) => requestBody)
const closed = withBody.filter((operation) => {
  const [example] = examplesOf(operation)
  const schema = mediaOf(operation)?.schema ?? {}
  const members = { ...(example as object), nonsense: 1 }
  return typeof example === 'object' && complaint(schema, members) !== undefined
})

test.each(named(operations))('every example of %s succeeds', async (_, operation) => {
  const bodies = examplesOf(operation).map((value) => JSON.stringify(value))
  for (const body of bodies.length > 0 ? bodies : [undefined]) {
    const response = await attempt(operation, { ...(body !== undefined && { body }) })
    expect.soft([200, 201], body).toContain(response.status)
  }
  for (const { name, schema, in: place } of operation.parameters) {
    const [example] = (schema.examples ?? []) as Json[]
    if (place !== 'query' || example === undefined) continue
    const path = `${filled(pathOf(operation))}?${name}=${encodeURIComponent(String(example))}`
    expect.soft((await send(url, operation.method, path)).status, path).toBe(200)
  }
})

const ofAll = ['400', '401', '429', '500', '503', '504']

test.each(named(secured))('%s declares each error that any with a key may have', (_, operation) => {
  const needsScope = operation.security.some(({ bearer = [] }) => bearer.length > 0)
  const expected = needsScope ? [...ofAll, '403'] : ofAll
  expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(expected))
})

test.each(named(operations))(
  'a slash at the end of the path of %s is another path',
  async (_, operation) => {
    const [path] = pathOf(operation).split('?')
    expect((await send(url, operation.method, `${path}/`)).status).toBe(404)
  },
)

const realm = 'Bearer realm="agents-datastores"'

test.each(named(secured))(
  '%s names unknown query parameters, and without a key complains of nothing else',
  async (_, operation) => {
    const { method } = operation
    for (const name of ['nonsense', '__proto__', 'toString']) {
      const own = filled(pathOf(operation))
      const path = `${own}${own.includes('?') ? '&' : '?'}${name}=1`
      const response = await send(url, method, path, aBody(operation))
      expect.soft([response.status, await placesOf(response)]).toEqual([400, [`/query/${name}`]])
    }
    const path = pathOf(operation)
    const response = await fetch(`${url}${path}?nonsense=1`, { method })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, realm])
    const worst = { body: '{"cut', headers: { authorization: '', 'content-type': 'text/x' } }
    if (method !== 'GET') expect((await send(url, method, path, worst)).status).toBe(401)
  },
)

// One reader of keys serves all operations; access.test.ts sends each a wrong one.
test.each([
  ['unknown', `Bearer ${'x'.repeat(40)}`],
  ['cut', `Bearer ${testKey.slice(0, -1)}`],
  ['longer', `Bearer ${testKey}x`],
  ['of another scheme', `Basic ${btoa(`user:${testKey}`)}`],
  ['without a scheme', testKey],
  ['empty', 'Bearer '],
  ['mistyped', `Bearer ads_initial_${'0'.repeat(48)}`],
])('a key that is %s is 401', async (_kind, authorization) => {
  const response = await send(url, 'GET', '/agents', { headers: { authorization } })
  const told = response.headers.get('www-authenticate')
  expect([response.status, told]).toEqual([401, `${realm}, error="invalid_token"`])
})

const ofJson = withBody.filter(takesJson)

// One reader of bodies serves all operations: each kind of body goes to one, and one of a kind to each.
const aQuery = ofJson.find(({ operationId }) => operationId === 'queryDatastore')!
const statusFor = async (request: Parameters<typeof attempt>[1], to = aQuery) =>
  (await attempt(to, request)).status

test.each(named(ofJson))(
  '%s takes JSON in UTF-8 alone, and no broken one',
  async (_, operation) => {
    const patch = operation.method === 'PATCH' ? 'application/json' : null
    for (const [headers, taken] of [
      [{ 'content-type': 'text/plain' }, [null, patch]],
      [{ 'content-encoding': 'gzip' }, ['identity', null]],
    ] as const) {
      const { status, headers: told } = await attempt(operation, { headers })
      expect
        .soft(
          [status, told.get('accept-encoding'), told.get('accept-patch')],
          JSON.stringify(headers),
        )
        .toEqual([415, ...taken])
    }
    for (const body of ['{"a":1', 'null']) {
      expect.soft(await statusFor({ body }, operation), body).toBe(400)
    }
  },
)

test.each([
  'application/x-www-form-urlencoded',
  'application/jsonp',
  'application/json; charset=utf-16',
  'application/json; charset="latin1"',
  'application/json; charset=x-unknown; v=1',
  'application/json, text/plain',
  'application/merge-patch+json',
  'application/problem+json',
  '',
])('a body of type "%s" is 415', async (type) => {
  expect(await statusFor({ headers: { 'content-type': type } })).toBe(415)
})

test.each(['{', "{'a':1}", '"{}"', '[', '\u0000', '{}{}'])(
  'malformed JSON %j is 400',
  async (body) => expect(await statusFor({ body })).toBe(400),
)

test('invalid UTF-8 is 400', async () => {
  const body = new Uint8Array([...Buffer.from('{"text":"'), 0xff, ...Buffer.from('"}')])
  expect(await statusFor({ body })).toBe(400)
})

test.each([
  'application/json;charset=utf8',
  'application/json; charset=UTF-8',
  'Application/JSON ; Charset="utf-8"',
  'application/json; charset=us-ascii',
  'application/json; charset=',
  'application/json; v=1',
  'application/json;odata.metadata="minimal; charset=utf-16; \\" x";v=2',
  'application/json;',
  '\tapplication/json \t; ;; v',
])('a body of type "%s" is taken', async (type) => {
  expect(await statusFor({ headers: { 'content-type': type } })).toBe(200)
})

test('a byte order mark before a body is ignored', async () => {
  expect(await statusFor({ body: `\ufeff${aBody(aQuery).body}` })).toBe(200)
})

test.each(named(withBody.filter(({ requestBody }) => requestBody?.required)))(
  '%s without a body is 400',
  async (_, operation) => {
    const response = await send(url, operation.method, filled(pathOf(operation)))
    expect([response.status, await placesOf(response)]).toEqual([400, ['']])
  },
)

test.each(named(closed))('%s names each unknown field', async (_, operation) => {
  const example = examplesOf(operation)[0] as object
  const body = JSON.stringify({ ...example, nonsense: 1, 'a/b~c': 2 })
  const response = await attempt(operation, { body })
  expect([response.status, (await placesOf(response)).toSorted()]).toEqual([
    400,
    ['/a~1b~0c', '/nonsense'],
  ])
})

test('only the bodies that the contract leaves open are open', () => {
  const open = withBody.filter((operation) => !closed.includes(operation))
  expect(open.map(({ operationId }) => operationId)).toEqual(['deleteAgent', 'putFile'])
})

test.each([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['application/problem+json', 'application/problem+json'],
  ['application/problem+json, application/json;q=0.1', 'application/json'],
  ['text/html', 'application/json'],
])('a Problem for Accept %s comes as %s', async (accept, type) => {
  const response = await send(url, 'GET', '/agents/unknown', { headers: accept ? { accept } : {} })
  expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
  expect(response.headers.get('vary')).toBe('Accept')
})

test('a large body does not keep the answer from whoever sends it', { tags: 'deep' }, async () => {
  const body = JSON.stringify({ name: 'x'.repeat(5 * 1024 * 1024) })
  for (const [headers, status] of [
    [{ authorization: `Bearer ${'x'.repeat(40)}` }, 401],
    [{ 'content-type': 'text/plain' }, 415],
  ] as const) {
    for (let round = 0; round < 10; round++) {
      const response = await send(url, 'POST', '/agents', { body, headers })
      expect(response.status).toBe(status)
    }
  }
})

test('an unknown path is 404 with or without a key', async () => {
  for (const path of ['/nowhere', '/datastores/a/b/c/d', '//agents', '/AGENTS', '/%']) {
    expect((await send(url, 'GET', path)).status).toBe(404)
    const keyless = await send(url, 'GET', path, { headers: { authorization: '' } })
    expect(keyless.status).toBe(404)
  }
})

test('the problem catalogue explains every code, and every code is in it', () => {
  const { enum: codes } = document.components.schemas.ProblemCode
  expect(Object.keys(document['x-problems']).toSorted()).toEqual(codes.toSorted())
})
