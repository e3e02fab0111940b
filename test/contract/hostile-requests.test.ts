import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Json, type Operation, operations } from '../support/contract.ts'
import { requestSchema } from '../support/limits.ts'
import { placesOf, send } from '../support/raw.ts'
import { joinServer, testKey } from '../support/server.ts'
import { makeAgent, makeDatastore } from '../support/things.ts'

const { client, url } = await joinServer()
const datastoreId = await makeDatastore(client)
const { id: agentId } = await makeAgent(client)

afterEach(() => vi.restoreAllMocks())

const filled = (text: string, length: number): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length)
const names = (count: number): string =>
  Array.from({ length: count }, (_, index) => index.toString(36)).join('&')

/** Nearly all that a request line may hold. */
const longest = 30_000
const queries: [string, string][] = [
  ['thousands of names', names(8_000)],
  ['one name thousands of times', filled('a&', longest)],
  ['thousands of values', filled('a=b&', longest)],
  ['nothing but separators', filled('&', longest)],
  ['thousands of escapes', filled('%41=%42&', longest)],
]

/** The status line and body of an answer, asked for by a client that makes no query of its own. */
async function ask(line: string, ...headers: string[]): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const answer: Buffer[] = []
  socket.on('data', (bytes) => answer.push(bytes))
  socket.write(
    [`${line} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n'),
  )
  await once(socket, 'close')
  return Buffer.concat(answer).toString()
}

describe('no query is taken apart', () => {
  test.each(queries)('without a key: %s', async (_, query) => {
    const taken = vi.spyOn(globalThis, 'URLSearchParams')
    expect(await ask(`POST /keys?${query}`)).toMatch(/^HTTP\/1.1 401 /)
    expect(await ask(`GET /agents?${query}`, 'Authorization: Bearer x')).toMatch(/^HTTP\/1.1 401 /)
    expect(taken).not.toHaveBeenCalled()
  })

  test.each(queries)('of health: %s', async (_, query) => {
    const taken = vi.spyOn(globalThis, 'URLSearchParams')
    expect(await ask(`GET /health/live?${query}`)).toMatch(/^HTTP\/1.1 200 /)
    expect(await ask(`GET /health/ready?${query}`)).toMatch(/^HTTP\/1.1 200 /)
    expect(taken).not.toHaveBeenCalled()
  })

  test.each(queries)('with a key, but one complaint is made: %s', async (_, query) => {
    const taken = vi.spyOn(globalThis, 'URLSearchParams')
    const answer = await ask(`GET /agents?${query}`, `Authorization: Bearer ${testKey}`)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!).errors).toEqual([
      { pointer: '/query', detail: 'has more than 100 parameters' },
    ])
    expect(taken).not.toHaveBeenCalled()
  })
})

test('a hundred query parameters are all looked at, and none of a hundred and one', async () => {
  const placesFor = async (count: number) =>
    placesOf(await send(url, 'GET', `/agents?${names(count)}`))
  const all = Array.from({ length: 100 }, (_, index) => `/query/${index.toString(36)}`)
  expect((await placesFor(100)).toSorted()).toEqual(all.toSorted())
  expect(await placesFor(101)).toEqual(['/query'])
})

test.each([
  ['limit', '/agents', '1', '2'],
  ['limit', '/agents', '1', '2', '3'],
  ['cursor', '/agents', 'a', 'b'],
  ['filter', `/datastores/${datastoreId}/datasources`, '{}', '{}'],
  ['filter', `/datastores/${datastoreId}/datasources`, '[]', 'x'],
])(
  'a query parameter that is given more than once is told so: %s of %s',
  async (name, path, ...values) => {
    const search = new URLSearchParams(values.map((value) => [name, value]))
    const { errors } = await (await send(url, 'GET', `${path}?${search}`)).json()
    expect(errors).toEqual([{ pointer: `/query/${name}`, detail: 'is given more than once' }])
  },
)

test.each([
  ['name', 'a', 'b'],
  ['metadata', '{}', '{}'],
  ['metadata', '[1]', '[2]'],
])('a part of a form that is given more than once is told so: %s', async (name, ...values) => {
  const form = new FormData()
  form.append('file', new File(['At nine.'], 'a.txt'))
  for (const value of values) form.append(name, value)
  const init = { method: 'POST', headers: { authorization: `Bearer ${testKey}` }, body: form }
  const { errors } = await (await fetch(`${url}/datastores/${datastoreId}/files`, init)).json()
  expect(errors).toEqual([{ pointer: `/${name}`, detail: 'is given more than once' }])
})

test('an Accept longer than any browser sends is not compared type by type', async () => {
  const accept = `Accept: ${filled('application/problem+json,', 1_024)}`
  const typeOf = async (header: string) =>
    /^content-type: ([^;]*)/im.exec(await ask('GET /agents', header))?.[1]
  expect(await typeOf(accept)).toBe('application/problem+json')
  expect(await typeOf(`${accept},`)).toBe('application/json')
})

type Value = { [member: string]: Json }
const costly: Record<string, string> = {
  pattern: 'maxLength',
  format: 'maxLength',
  uniqueItems: 'maxItems',
}

/** The keywords of a schema that take long on what is long, where nothing says how long that may be. */
function unbounded(schema: Json, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const missing = Object.entries(costly).flatMap(([keyword, limit]) =>
    keyword in schema && !(limit in schema) ? [`${place}: ${keyword} without ${limit}`] : [],
  )
  const below = Object.entries(schema).flatMap(([name, child]) =>
    unbounded(child, `${place}/${name}`),
  )
  return [...missing, ...below]
}

test('what takes long to check has a limit beside it', () => {
  const all = (operation: Operation) => unbounded(requestSchema(operation), operation.operationId)
  expect(operations.flatMap(all)).toEqual([])
  expect(unbounded({ properties: { x: { pattern: 'x' } } }, '')).toHaveLength(1)
})

describe('what is past its limit is not looked at any further', () => {
  const date = '2099-12-31T23:59:59Z'
  const key = { name: 'x', scopes: ['agents:read'] }
  const keyBytes = 60_000
  const manyBlanks = ' '.repeat(8 * 1_024 * 1_024)

  test.each<[string, string, string, Value]>([
    ['/expiresAt', 'POST', '/keys', { ...key, expiresAt: date + filled(' ', keyBytes) }],
    [
      '/expiresAt',
      'POST',
      '/keys',
      { ...key, expiresAt: filled('2099-12-31T23:59:59.0', keyBytes) },
    ],
    ['/workspace', 'POST', '/keys', { ...key, workspace: `${filled('a', keyBytes)}!` }],
    [
      '/scopes',
      'POST',
      '/keys',
      { ...key, scopes: Array.from({ length: 4_000 }, () => 'agents:read') },
    ],
    ['/query', 'POST', `/datastores/${datastoreId}/query`, { query: filled(' ', 900_000) }],
    ['/query', 'POST', `/datastores/${datastoreId}/query`, { query: filled('\u3000', 200_000) }],
    [
      '/documents/0/text',
      'POST',
      `/api/datastores/upsert/${datastoreId}`,
      { documents: [{ text: manyBlanks }] },
    ],
    ['/text', 'POST', `/api/datastores/update/${datastoreId}`, { id: 'x', text: manyBlanks }],
  ])('%s of %s %s', async (pointer, method, path, body) => {
    const response = await send(url, method, path, { body: JSON.stringify(body) })
    expect([response.status, await placesOf(response)]).toEqual([400, [pointer]])
  })

  test.each([
    [
      '/header/if-match',
      'DELETE',
      `/agents/${agentId}`,
      'If-Match',
      `"a"${filled(' ,', longest)}x`,
    ],
    ['/header/if-match', 'DELETE', `/agents/${agentId}`, 'If-Match', filled('"",', longest)],
    [
      '/header/idempotency-key',
      'POST',
      `/api/datastores/upsert/${datastoreId}`,
      'Idempotency-Key',
      filled('x x', longest),
    ],
  ])('%s of %s %s', async (pointer, method, path, name, value) => {
    const body = JSON.stringify({ documents: [] })
    const response = await send(url, method, path, { body, headers: { [name]: value } })
    expect([response.status, await placesOf(response)]).toEqual([400, [pointer]])
  })

  test('/query/cursor', async () => {
    const response = await send(url, 'GET', `/agents?cursor=${filled('a!', longest)}`)
    expect([response.status, await placesOf(response)]).toEqual([400, ['/query/cursor']])
  })
})

test.each<[string, string, Value]>([
  ['a member with a long name', '/agents', { [filled('x', 1_000_000)]: 1 }],
  ['a value that is none of those there are', '/agents', { modelName: filled('x', 1_000_000) }],
  ['an item that is none of those there are', '/keys', { scopes: [filled('x', 60_000)] }],
  [
    'a name within metadata',
    `/api/datastores/upsert/${datastoreId}`,
    { documents: [{ text: 'x', metadata: { [filled('x', 1_000_000)]: '\ud800' } }] },
  ],
])('%s is not sent back whole', async (_, path, body) => {
  const response = await send(url, 'POST', path, { body: JSON.stringify(body) })
  expect(response.status).toBe(400)
  expect((await response.text()).length).toBeLessThan(2_000)
})
