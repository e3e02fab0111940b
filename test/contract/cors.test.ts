import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { document, operations } from '../support/contract.ts'
import { pathOf } from '../support/requests.ts'
import { startServer, testKey } from '../support/server.ts'

const closed = await startServer()
const some = await startServer({ corsOrigins: ['https://app.example', 'http://127.0.0.1:5173'] })
const open = await startServer({ corsOrigins: ['*'] })

const corsOf = ({ headers }: Response): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'))

const preflight = (url: string, path: string, method: string, origin: string) =>
  fetch(url + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,idempotency-key,if-match',
    },
  })

const named = operations.map((operation) => [operation.operationId, operation] as const)

describe.each(named)('%s', (_, operation) => {
  const { method } = operation
  const path = pathOf(operation)

  test('a page of an origin that is named may call it', async () => {
    const response = await preflight(some.url, path, method, 'https://app.example')
    expect([response.status, await response.text()]).toEqual([204, ''])
    const { headers } = response
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(headers.get('access-control-allow-methods')?.split(', ')).toContain(method)
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
    expect(allowed).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'idempotency-key', 'if-match']),
    )
    for (const { name, in: place } of operation.parameters) {
      if (place === 'header') expect(allowed).toContain(name.toLowerCase())
    }
    expect(headers.get('vary')).toContain('Origin')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('a page of another origin may not, and none where none is named', async () => {
    expect(corsOf(await preflight(some.url, path, method, 'https://evil.example'))).toEqual([])
    expect(corsOf(await preflight(closed.url, path, method, 'https://app.example'))).toEqual([])
  })
})

test.each([
  'https://app.example.evil.example',
  'https://evil-app.example',
  'http://app.example',
  'https://app.example:8443',
  'https://APP.example',
  'https://app.example/',
  'null',
  '*',
  '',
])('the origin "%s" is not one that is named', async (origin) => {
  const response = await fetch(`${some.url}/health/live`, { headers: { origin } })
  expect([response.status, corsOf(response)]).toEqual([200, []])
  expect(response.headers.get('vary')).toContain('Origin')
})

test.each([
  ['/agents', 200],
  ['/agents/nobody', 404],
  ['/agents?nonsense=1', 400],
  ['/nowhere', 404],
  ['/openapi.json', 200],
])('an answer of %s can be read by the page, with its headers', async (path, status) => {
  const headers = { origin: 'http://127.0.0.1:5173', authorization: `Bearer ${testKey}` }
  const response = await fetch(some.url + path, { headers })
  expect(response.status).toBe(status)
  expect(response.headers.get('access-control-allow-origin')).toBe(headers.origin)
  const exposed = response.headers.get('access-control-expose-headers')?.split(', ')
  expect(exposed).toEqual(
    expect.arrayContaining(['ETag', 'Location', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id']),
  )
  expect(exposed?.toSorted()).toEqual(Object.keys(document.components.headers).toSorted())
  expect(response.headers.get('vary')).toContain('Origin')
})

test('every origin may call where * is set, and a 401 can be read', async () => {
  const response = await fetch(`${open.url}/agents`, { headers: { origin: 'https://a.example' } })
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([401, '*'])
})

test.each(['/mcp', '/datastores/dst_1/mcp'])(
  'a page of an origin that is named may call %s, with the headers of the protocol',
  async (path) => {
    const { status, headers } = await preflight(some.url, path, 'POST', 'https://app.example')
    expect([status, headers.get('access-control-allow-methods')]).toEqual([204, 'POST, OPTIONS'])
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example')
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
    expect(allowed).toEqual(
      expect.arrayContaining(['authorization', 'mcp-protocol-version', 'mcp-method', 'mcp-name']),
    )
    expect(corsOf(await preflight(closed.url, path, 'POST', 'https://app.example'))).toEqual([])
  },
)

test('a preflight of a path there is not is 404', async () => {
  const response = await preflight(some.url, '/nowhere', 'GET', 'https://app.example')
  expect(response.status).toBe(404)
})

test.each([
  ['', []],
  ['*', ['*']],
  ['https://app.example', ['https://app.example']],
  [' https://a.example , http://localhost:5173,', ['https://a.example', 'http://localhost:5173']],
])('CORS_ORIGINS "%s" is %j', (value, origins) => {
  expect(readConfig({ CORS_ORIGINS: value }).corsOrigins).toEqual(origins)
})

test.each([
  'app.example',
  'https://app.example/',
  'https://app.example/path',
  'https://APP.example',
  'https://app.example:443',
  'https://*.example',
  '*, https://app.example',
  'null',
  'file://',
  'https://a.example https://b.example',
])('CORS_ORIGINS "%s" stops the start and names itself', (value) => {
  expect(() => readConfig({ CORS_ORIGINS: value })).toThrow(/^CORS_ORIGINS must be /)
})
