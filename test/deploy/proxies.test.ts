import { execFileSync } from 'node:child_process'
import type { IncomingHttpHeaders } from 'node:http'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../generated/client/index.ts'
import { HttpServer } from '../../src/http/server.ts'
import { beginEvents, recordedChunks, toEvent } from '../support/chat-answers.ts'
import { makeLibrarian, question } from '../support/librarian.ts'
import { hasTool } from '../support/operator-tools.ts'
import { Provider } from '../support/provider.ts'
import { openServer, temporaryDirectory, testKey } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'
import {
  deployed,
  fetchUnverified,
  nginxConfig,
  type Proxy,
  startCaddy,
  startNginx,
} from './proxy.ts'

const provider = await Provider.start()
const service = await openServer({ dataUri: await temporaryDirectory(), chat: provider.chat })
afterAll(service.close)
/** The headers of the last request, as the proxy sent them on. */
let arrived: IncomingHttpHeaders = {}
const recorder = new HttpServer((request, response) => {
  arrived = request.headers
  service.app(request, response)
}, 60)
const upstream = await recorder.listen(0, '127.0.0.1')
afterAll(() => recorder.stop(1000))
const agentId = await makeLibrarian(service.client)
const datastoreId = await makeDatastore(service.client)

const maxFile = 32 * 1024 * 1024
const authorization = `Bearer ${testKey}`

/** A page of one sentence, of so many bytes. */
function pageOf(length: number): Buffer {
  const [head, tail] = ['<!doctype html><!--', '--><p>The library opens at nine.</p>']
  return Buffer.from(head + ' '.repeat(length - head.length - tail.length) + tail)
}

const putPage = (url: string, length: number): Promise<Response> =>
  fetchUnverified(`${url}/datastores/${datastoreId}/files/page.html`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/octet-stream' },
    body: pageOf(length) as BodyInit,
  })

const servers = [
  ...(hasTool('nginx')
    ? [
        {
          name: 'nginx',
          start: startNginx,
          below: (text: string) =>
            text
              .replace('location / {', 'location /search/ {')
              .replace(
                'proxy_pass http://agents_datastores;',
                'proxy_pass http://agents_datastores$below_search;',
              )
              .replace('X-Forwarded-Prefix ""', 'X-Forwarded-Prefix /search'),
        },
      ]
    : []),
  ...(hasTool('caddy')
    ? [
        {
          name: 'Caddy',
          start: startCaddy,
          below: (text: string) =>
            text
              .replace('\treverse_proxy', '\thandle_path /search/* {\n\treverse_proxy')
              .replace('-X-Forwarded-Prefix\n\t}', 'X-Forwarded-Prefix /search\n\t}\n\t}'),
        },
      ]
    : []),
]

describe.each(servers)('behind $name', ({ start, below }) => {
  let proxy: Proxy
  beforeAll(async () => {
    proxy = await start(upstream)
  })
  afterAll(() => proxy.stop())

  test('a query finds what was put there', async () => {
    const { url } = proxy
    const client = createClient({ baseUrl: url, auth: () => testKey, fetch: fetchUnverified })
    const id = await makeDatastore(client)
    await upsert(client, id, 'Rivers carry sand.')
    expect((await query(client, id, { query: 'sand' }))[0]?.text).toBe('Rivers carry sand.')
  })

  test('a stream arrives piece by piece', async () => {
    const { url } = proxy
    const released = Promise.withResolvers<void>()
    provider.chatBehaviour = async (call, response) => {
      const texts = recordedChunks(call).map(toEvent)
      beginEvents(response)
      response.write(texts.slice(0, 4).join(''))
      await released.promise
      response.end(texts.slice(4).join(''))
    }
    onTestFinished(() => {
      released.resolve()
      provider.chatBehaviour = undefined
    })
    const response = await fetchUnverified(`${url}/agents/${agentId}/query`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ query: question, streaming: true }),
    })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('event: answer')) text += (await reader.read()).value
    expect(text).not.toContain('event: done')
    released.resolve()
    for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
      text += value
    }
    expect(text).toContain('event: done')
  })

  test(
    'a file of the longest kind is stored, and one byte more is refused by the service',
    { tags: 'deep' },
    async () => {
      const { url } = proxy
      expect((await putPage(url, maxFile)).status).toBeLessThan(300)
      const refused = await putPage(url, maxFile + 1)
      expect(refused.status).toBe(413)
      expect(await refused.json()).toMatchObject({ code: 'payload_too_large' })
    },
  )

  test('the service has the address that was asked, whatever a caller says', async () => {
    const { url } = proxy
    const headers = {
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-prefix': '/evil',
      'x-forwarded-proto': 'http',
    }
    const response = await fetchUnverified(`${url}/openapi.json`, { headers })
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(await response.json()).toMatchObject({ servers: [{ url }] })
    expect(arrived['x-forwarded-for']).toBe('127.0.0.1')
  })

  test('the log has the address of the caller, the requestId, and neither key nor path', async () => {
    const { url, logged } = proxy
    const path = `/datastores/${datastoreId}`
    const response = await fetchUnverified(url + path, { headers: { authorization } })
    const requestId = response.headers.get('x-request-id')!
    await expect.poll(logged).toContain(requestId)
    const log = await logged()
    expect(log.split('\n').find((line) => line.includes(requestId))).toContain('127.0.0.1')
    expect(log).not.toContain(datastoreId)
    expect(log).not.toContain(testKey)
  })

  test('plain HTTP leads to TLS', async () => {
    const { plainUrl } = proxy
    const response = await fetch(`${plainUrl}/docs`, { redirect: 'manual' })
    expect(response.status).toBe(308)
    expect(response.headers.get('location')).toMatch(/^https:\/\/127\.0\.0\.1.*\/docs$/)
  })

  test('below a path, as its file says, links lead on', async () => {
    const { url, stop } = await start(upstream, below)
    onTestFinished(stop)
    const headers = { authorization }
    const page = await fetchUnverified(`${url}/search/docs/`, { headers })
    expect([page.status, page.url]).toEqual([200, `${url}/search/docs`])
    const problem = await fetchUnverified(`${url}/search/agents/nobody`, { headers })
    expect(await problem.json()).toMatchObject({ type: '/search/problems#not_found' })
  })

  test('below a path, a key arrives as it was sent', async () => {
    const { url, stop } = await start(upstream, below)
    onTestFinished(stop)
    const headers = { authorization, 'content-type': 'application/json' }
    for (const key of ['notes/../top.md', 'hours/main street.md', 'a%2Fb?c#d+é', 'a//b']) {
      const document = `${url}/search/datastores/${datastoreId}/documents/${encodeURIComponent(key)}`
      const body = JSON.stringify({ text: 'The library opens at nine.' })
      const put = await fetchUnverified(document, { method: 'PUT', headers, body })
      expect(await put.json()).toMatchObject({ key })
      const got = await fetchUnverified(document, { headers })
      expect(await got.json()).toMatchObject({ key })
    }
  })
})

test.runIf(hasTool('nginx'))('nginx finds no fault in its file', async () => {
  const folder = await temporaryDirectory()
  const places = { service: upstream, tls: 1, plain: 2, edit: (text: string) => text }
  await writeFile(join(folder, 'nginx.conf'), await nginxConfig(folder, places))
  execFileSync('nginx', ['-t', '-p', folder, '-c', 'nginx.conf'], { stdio: 'pipe' })
})

test.runIf(hasTool('caddy'))('Caddy finds no fault in its file, nor in its form', async () => {
  const file = deployed('Caddyfile')
  const options = {
    env: { PATH: process.env.PATH, SITE: 'search.example' },
    stdio: 'pipe',
  } as const
  execFileSync('caddy', ['validate', '--config', file, '--adapter', 'caddyfile'], options)
  const formatted = execFileSync('caddy', ['fmt', file], options)
  expect(String(formatted)).toBe(await readFile(file, 'utf8'))
})
