import { describe, expect, test } from 'vitest'
import { complaint, document, type Json, type Operation, operations } from '../support/contract.ts'
import { placesOf, send } from '../support/raw.ts'
import { examplesOf, makeThings, mediaOf, pathOf, takesJson, withIds } from '../support/requests.ts'
import { startServer, testKey } from '../support/server.ts'

/** Everything here is derived from the contract: an operation added to it is tested by this file. */

const { client, url } = await startServer()

const shared = await makeThings(client)
/** The text with ids of things that are there in the place of the examples'. */
const filled = (text: string): string => withIds(text, shared)

/** A function that does the same, with things of its own where the operation takes them away. */
async function filler({ method }: Operation): Promise<(text: string) => string> {
  if (method !== 'DELETE') return filled
  const ids = await makeThings(client)
  return (text) => withIds(text, ids)
}

const aBody = (operation: Operation): { body?: string } => {
  const [example] = examplesOf(operation)
  return example === undefined ? {} : { body: JSON.stringify(example) }
}

const secured = operations.filter(({ security }) => security.length > 0)
const withBody = operations.filter(({ requestBody }) => requestBody)
const closed = withBody.filter((operation) => {
  const [example] = examplesOf(operation)
  const schema = mediaOf(operation)?.schema ?? {}
  return complaint(schema, { ...(example as object), nonsense: 1 }) !== undefined
})
const named = (some: Operation[]) =>
  some.map((operation) => [operation.operationId, operation] as const)

describe.each(named(operations))('%s', (_, operation) => {
  const { method } = operation

  test('every example succeeds', async () => {
    const bodies = examplesOf(operation).map((value) => JSON.stringify(value))
    for (const body of bodies.length > 0 ? bodies : [undefined]) {
      const fill = await filler(operation)
      const request = body === undefined ? {} : { body: fill(body) }
      const response = await send(url, method, fill(pathOf(operation)), request)
      expect([response.status, await response.text()]).toEqual([
        expect.toSatisfy((status) => [200, 201].includes(status)),
        expect.any(String),
      ])
    }
  })

  test('every example of a query parameter succeeds', async () => {
    for (const { name, schema, in: place } of operation.parameters) {
      const [example] = (schema.examples ?? []) as Json[]
      if (place !== 'query' || example === undefined) continue
      const path = `${filled(pathOf(operation))}?${name}=${encodeURIComponent(String(example))}`
      expect((await send(url, method, path)).status).toBe(200)
    }
  })

  test.runIf(secured.includes(operation))(
    'an unknown query parameter is 400 and named',
    async () => {
      for (const name of ['nonsense', '__proto__', 'toString']) {
        const own = filled(pathOf(operation))
        const path = `${own}${own.includes('?') ? '&' : '?'}${name}=1`
        const response = await send(url, method, path, aBody(operation))
        expect(response.status).toBe(400)
        expect(await placesOf(response)).toEqual([`/query/${name}`])
      }
    },
  )

  test('another method on its path is 405 and says which it takes', async () => {
    const response = await send(url, 'PURGE', filled(pathOf(operation)))
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')?.split(', ')).toContain(method)
  })

  test('a slash at the end is another path', async () => {
    const [path] = pathOf(operation).split('?')
    expect((await send(url, method, `${path}/`)).status).toBe(404)
  })
})

describe.each(named(secured))('%s', (_, operation) => {
  const { method } = operation
  const path = pathOf(operation)
  const realm = 'Bearer realm="agents-datastores"'

  test('no key is 401, before any complaint about the rest', async () => {
    const response = await fetch(`${url}${path}?nonsense=1`, { method })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, realm])
    const worst = { body: '{"cut', headers: { authorization: '', 'content-type': 'text/x' } }
    if (method !== 'GET') expect((await send(url, method, path, worst)).status).toBe(401)
  })

  test.each([
    ['unknown', `Bearer ${'x'.repeat(40)}`],
    ['cut', `Bearer ${testKey.slice(0, -1)}`],
    ['longer', `Bearer ${testKey}x`],
    ['of another scheme', `Basic ${btoa(`user:${testKey}`)}`],
    ['without a scheme', testKey],
    ['empty', 'Bearer '],
    ['mistyped', `Bearer ads_initial_${'0'.repeat(48)}`],
  ])('a key that is %s is 401', async (_kind, authorization) => {
    const response = await send(url, method, path, { headers: { authorization } })
    expect(response.status).toBe(401)
    const expected = `${realm}, error="invalid_token"`
    expect(response.headers.get('www-authenticate')).toBe(expected)
  })
})

describe.each(named(withBody.filter(takesJson)))('%s', (_, operation) => {
  const { method } = operation
  const attempt = async (body: string | Uint8Array, headers = {}) => {
    const fill = await filler(operation)
    const content = typeof body === 'string' ? fill(body) : body
    return send(url, method, fill(pathOf(operation)), { body: content, headers })
  }

  test.each([
    'text/plain',
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
    const { body = '{}' } = aBody(operation)
    expect((await attempt(body, { 'content-type': type })).status).toBe(415)
  })

  test('a compressed body is 415', async () => {
    const { body = '{}' } = aBody(operation)
    expect((await attempt(body, { 'content-encoding': 'gzip' })).status).toBe(415)
  })

  test.each(['{', '{"a":1', "{'a':1}", 'null', '"{}"', '[', '\u0000', '{}{}'])(
    'malformed JSON %j is 400',
    async (body) => expect((await attempt(body)).status).toBe(400),
  )

  test('invalid UTF-8 is 400', async () => {
    const bytes = new Uint8Array([...Buffer.from('{"text":"'), 0xff, ...Buffer.from('"}')])
    expect((await attempt(bytes)).status).toBe(400)
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
    const { body = '{}' } = aBody(operation)
    expect([200, 201]).toContain((await attempt(body, { 'content-type': type })).status)
  })

  test('a byte order mark before a body is ignored', async () => {
    const { body = '{}' } = aBody(operation)
    expect([200, 201]).toContain((await attempt(`\ufeff${body}`)).status)
  })
})

test.each(named(withBody.filter(({ requestBody }) => requestBody?.required)))(
  '%s without a body is 400',
  async (_, operation) => {
    const response = await send(url, operation.method, filled(pathOf(operation)))
    expect([response.status, await placesOf(response)]).toEqual([400, ['']])
  },
)

describe.each(named(closed))('%s', (_, operation) => {
  test('unknown fields are 400 and named, each of them', async () => {
    const example = examplesOf(operation)[0] as object
    const body = filled(JSON.stringify({ ...example, nonsense: 1, 'a/b~c': 2 }))
    const response = await send(url, operation.method, filled(pathOf(operation)), { body })
    expect(response.status).toBe(400)
    expect((await placesOf(response)).toSorted()).toEqual(['/a~1b~0c', '/nonsense'])
  })
})

test('only the bodies that the contract leaves open are open', () => {
  const open = withBody.filter((operation) => !closed.includes(operation))
  expect(open.map(({ operationId }) => operationId)).toEqual(['deleteAgent'])
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
})

test('a large body does not keep the answer from whoever sends it', async () => {
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
