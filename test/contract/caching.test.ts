import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { beforeAll, describe, expect, test } from 'vitest'
import { operations, root } from '../support/contract.ts'
import { send } from '../support/raw.ts'
import { pathOf } from '../support/requests.ts'
import { joinServer, testKey } from '../support/server.ts'
import { makeAgent, makeDatastore, upsert } from '../support/things.ts'

const { client, url } = await joinServer()
const authorization = `Bearer ${testKey}`

type Raw = { status: number; headers: Record<string, unknown>; bytes: Buffer }

/** An answer as it comes, not decompressed. */
async function ask(
  path: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' | 'POST' = 'GET',
  body?: string,
): Promise<Raw> {
  const answer = await request(url + path, { method, headers, ...(body && { body }) })
  const bytes = Buffer.from(await answer.body.arrayBuffer())
  return { status: answer.statusCode, headers: answer.headers, bytes }
}

const decoders = { br: brotliDecompressSync, gzip: gunzipSync }
const decoded = ({ headers, bytes }: Raw): Buffer => {
  const encoding = headers['content-encoding'] as keyof typeof decoders | undefined
  return encoding ? decoders[encoding](bytes) : bytes
}

const pages = ['/', '/docs', '/problems', '/changes', '/document', '/openapi.json', '/openapi.yaml']
const ownAssets = readdirSync(join(root, 'src/http/pages/assets'))
const assets = [...ownAssets, 'swagger-ui.css', 'swagger-ui-bundle.js'].map(
  (name) => `/docs/${name}`,
)

describe.each([...pages, ...assets])('%s', (path) => {
  test('has a strong ETag, says how long it may be kept, and is 304 to one who has it', async () => {
    const first = await ask(path)
    const etag = String(first.headers.etag)
    expect([first.status, first.headers['content-length']]).toEqual([
      200,
      String(first.bytes.length),
    ])
    expect(etag).toMatch(/^"[\w-]+"$/)
    const isAsset = path.startsWith('/docs/')
    const control = isAsset ? 'public, max-age=600' : 'no-cache'
    expect(first.headers['cache-control']).toBe(control)
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask(path, { 'if-none-match': tags })
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag])
      expect(again.headers['cache-control']).toBe(control)
      expect(again.headers.vary).toBe(first.headers.vary)
    }
    expect((await ask(path, { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await ask(path, { 'if-none-match': etag }, 'HEAD')).status).toBe(304)
    expect((await ask(path)).headers.etag).toBe(etag)
  })

  test('is whole where a range is asked for', async () => {
    const whole = await ask(path)
    const { status, bytes } = await ask(path, { range: 'bytes=0-9' })
    expect([status, bytes.equals(whole.bytes)]).toEqual([200, true])
    expect(whole.headers['accept-ranges']).toBe('none')
  })
})

describe.each(['br', 'gzip'] as const)('%s', (encoding) => {
  test.each([...pages, ...assets])('%s is compressed, under a tag of its own', async (path) => {
    const plain = await ask(path)
    const small = await ask(path, { 'accept-encoding': encoding })
    if (plain.bytes.length < 1024) {
      expect(small.headers['content-encoding']).toBeUndefined()
      return
    }
    expect(small.headers['content-encoding']).toBe(encoding)
    expect(small.headers.vary).toContain('Accept-Encoding')
    expect(small.bytes.length).toBeLessThan(plain.bytes.length)
    expect(decoded(small).equals(plain.bytes)).toBe(true)
    const tags = [small.headers.etag, plain.headers.etag]
    expect(new Set(tags).size).toBe(2)
    const etag = String(small.headers.etag)
    const own = { 'accept-encoding': encoding, 'if-none-match': etag }
    expect((await ask(path, own)).status).toBe(304)
    expect((await ask(path, { 'if-none-match': etag })).status).toBe(200)
  })
})

test.each([
  ['br;q=0, gzip', 'gzip'],
  ['gzip;q=0.5, br;q=0.9', 'br'],
  ['identity', undefined],
  ['deflate', undefined],
  ['gzip;q=0', undefined],
  ['', undefined],
  ['zstd, nonsense', undefined],
  ['identity;q=0, *;q=0', undefined],
])('Accept-Encoding "%s" is answered in %s', async (accepted, encoding) => {
  const answer = await ask('/problems', { 'accept-encoding': accepted })
  expect([answer.status, answer.headers['content-encoding']]).toEqual([200, encoding])
})

test('each address has a document, and a tag, of its own', async () => {
  const tagAt = async (headers: Record<string, string>) =>
    (await ask('/openapi.json', headers)).headers.etag
  const tags = [
    await tagAt({}),
    await tagAt({ host: 'a.example' }),
    await tagAt({ host: 'a.example', 'x-forwarded-prefix': '/api' }),
    await tagAt({ 'x-forwarded-host': 'b.example' }),
    await tagAt({ host: 'a.example', 'x-forwarded-proto': 'https' }),
  ]
  expect(new Set(tags).size).toBe(tags.length)
  const { vary } = (await ask('/openapi.json')).headers
  for (const name of ['X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Forwarded-Prefix']) {
    expect(String(vary).split(', ')).toContain(name)
  }
})

describe('an answer of the API', () => {
  let datastore = ''
  let agent = { id: '' }

  beforeAll(async () => {
    datastore = await makeDatastore(client)
    agent = await makeAgent(client, { systemPrompt: 'Be patient. '.repeat(500) })
    await upsert(client, datastore, 'A library is a quiet place. '.repeat(60))
  })

  const query = (headers: Record<string, string>) =>
    ask(
      `/datastores/${datastore}/query`,
      { authorization, 'content-type': 'application/json', ...headers },
      'POST',
      JSON.stringify({ query: 'Where is it quiet?', topK: 1 }),
    )

  test.each(['br', 'gzip'])('is compressed with %s where that is asked for', async (encoding) => {
    const small = await query({ 'accept-encoding': encoding })
    const plain = await query({})
    expect([small.headers['content-encoding'], plain.headers['content-encoding']]).toEqual([
      encoding,
      undefined,
    ])
    expect(decoded(small).equals(plain.bytes)).toBe(true)
    expect(small.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(String(plain.headers.vary)).toContain('Accept-Encoding')
  })

  test('is not compressed where it is small', async () => {
    const { headers } = await ask(`/datastores/${datastore}`, {
      authorization,
      'accept-encoding': 'gzip',
    })
    expect(headers['content-encoding']).toBeUndefined()
  })

  test('is not compressed where it is an agent, whose tag is of its bytes', async () => {
    const path = `/agents/${agent.id}`
    const { headers, bytes } = await ask(path, { authorization, 'accept-encoding': 'gzip, br' })
    expect(bytes.length).toBeGreaterThan(1024)
    expect([headers['content-encoding'], headers.etag]).toEqual([undefined, '"1"'])
  })

  test('is not compressed where it holds a new key', async () => {
    const body = JSON.stringify({ name: '\u{1f511}'.repeat(256), scopes: ['agents:read'] })
    const asked = { authorization, 'content-type': 'application/json', 'accept-encoding': 'gzip' }
    const { status, headers, bytes } = await ask('/keys', asked, 'POST', body)
    expect(bytes.length).toBeGreaterThan(1024)
    expect([status, headers['content-encoding']]).toEqual([201, undefined])
    expect(headers['cache-control']).toBe('no-store')
  })

  test('is 304 to one who has the agent, and whole once it has changed', async () => {
    const path = `/agents/${agent.id}`
    const etag = String((await ask(path, { authorization })).headers.etag)
    for (const tags of [etag, `W/${etag}`, `"x",${etag}`, '*']) {
      const response = await send(url, 'GET', path, { headers: { 'if-none-match': tags } })
      expect([response.status, await response.text()]).toEqual([304, ''])
    }
    const body = JSON.stringify({ description: 'Another.' })
    expect((await send(url, 'PATCH', path, { body })).status).toBe(200)
    const response = await send(url, 'GET', path, { headers: { 'if-none-match': etag } })
    expect([response.status, response.headers.get('etag')]).toEqual([200, '"2"'])
    const malformed = await send(url, 'GET', path, { headers: { 'if-none-match': 'x' } })
    expect(malformed.status).toBe(400)
  })
})

test.each(operations.map((operation) => [operation.operationId, operation] as const))(
  '%s may be kept by nobody, whatever it answers',
  async (_, operation) => {
    const path = pathOf(operation)
    for (const headers of [{}, { authorization: '' }] as Record<string, string>[]) {
      const response = await send(url, operation.method, path, { headers })
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  },
)
