import { describe, expect, test } from 'vitest'
import { request } from 'undici'
import { parse } from 'yaml'
import { document } from '../support/contract.ts'
import { send } from '../support/raw.ts'
import { joinServer, testKey } from '../support/server.ts'

const { url } = await joinServer()
const declared: string = document.servers[0].url

async function addressesAt(headers: Record<string, string>): Promise<string[]> {
  const json = await request(`${url}/openapi.json`, { headers })
  const yaml = await request(`${url}/openapi.yaml`, { headers })
  // To parse all of it takes long.
  const part = /^servers:\n(?:[ -].*\n)+/m.exec(await yaml.body.text())?.[0] ?? ''
  const both = [await json.body.json(), parse(part)] as (typeof document)[]
  return both.flatMap(({ servers }) => servers.map((server: { url: string }) => server.url))
}

test('the document as it is written has an absolute address, so that tools need not be told one', () => {
  expect(new URL(declared).origin).toBe(declared)
})

test.each([
  ['the address itself', {}, url],
  ['another host', { host: 'search.example' }, 'http://search.example'],
  ['an IPv6 host', { host: '[::1]:3000' }, 'http://[::1]:3000'],
  ['a host of a private network', { host: 'my_service:8080' }, 'http://my_service:8080'],
  ['TLS before it', { host: 'a.example', 'x-forwarded-proto': 'https' }, 'https://a.example'],
  [
    'another host before it',
    { 'x-forwarded-host': 'api.example:8443', 'x-forwarded-proto': 'HTTPS' },
    'https://api.example:8443',
  ],
  [
    'two proxies before it',
    {
      'x-forwarded-host': 'outer.example, inner.example',
      'x-forwarded-proto': 'https, http',
      'x-forwarded-prefix': '/outer, /inner',
    },
    'https://outer.example/outer',
  ],
  [
    'a prefix',
    { host: 'a.example', 'x-forwarded-prefix': '/v1/search/' },
    'http://a.example/v1/search',
  ],
])('asked at %s, it has that address', async (_, headers, expected) => {
  expect(await addressesAt(headers as Record<string, string>)).toEqual([expected, expected])
})

const hostile = [
  'a.example/path',
  'user@a.example',
  'a.example:99999999',
  '"><script>alert(1)</script>',
  "a.example' # {",
  'a..example"',
  '-a.example',
  'a.example:80:80',
  `${'a'.repeat(300)}.example`,
]

test.each(hostile)('a host that is none is left out: %s', async (host) => {
  expect(await addressesAt({ host })).toEqual([declared, declared])
  const headers = { host: 'a.example', 'x-forwarded-host': host }
  expect(await addressesAt(headers)).toEqual(['http://a.example', 'http://a.example'])
})

test.each(['javascript', 'ftp', 'https:', 'https://evil.example'])(
  'a protocol that is none is left out: %s',
  async (protocol) => {
    const headers = { host: 'a.example', 'x-forwarded-proto': protocol }
    expect(await addressesAt(headers)).toEqual(['http://a.example', 'http://a.example'])
  },
)

const prefixes = ['/api', '/v1/search', '/a-b_c.d~e']
const noPrefixes = [
  '/',
  '//evil.example',
  '/a//b',
  'evil',
  'https://evil.example',
  '/../a',
  '/a/..',
  '/.',
  '/a?b',
  '/a#b',
  '/a\\b',
  '/"><script>',
  '/a%0d%0ab',
  `/${'a'.repeat(300)}`,
]

const authorization = `Bearer ${testKey}`

const kinds: [things: string, body: object][] = [
  ['agents', { name: 'a', description: 'b' }],
  ['datastores', { name: 'a' }],
  ['keys', { name: 'a', scopes: ['agents:read'] }],
]

/** Where something is that was created behind a prefix, with `ID` for its id. */
async function locationBehind(prefix: string, [things, fields] = kinds[0]!): Promise<string> {
  const headers = { 'x-forwarded-prefix': prefix }
  const body = JSON.stringify(fields)
  const response = await send(url, 'POST', `/${things}`, { body, headers })
  expect(response.status).toBe(201)
  const { id } = (await response.json()) as { id: string }
  return response.headers.get('location')!.replace(id, 'ID')
}

test.each(kinds)('one of %s that is created behind a prefix is located there', async (...kind) => {
  for (const prefix of prefixes) {
    expect(await locationBehind(prefix, kind)).toBe(`${prefix}/${kind[0]}/ID`)
  }
  expect(await locationBehind(noPrefixes[0]!, kind)).toBe(`/${kind[0]}/ID`)
})

test.each(noPrefixes)('%s is no prefix, and is left out', async (prefix) => {
  expect(await locationBehind(prefix)).toBe('/agents/ID')
})

test.each(prefixes)('a Problem behind %s leads to where it is explained', async (prefix) => {
  const headers = { authorization, 'x-forwarded-prefix': prefix }
  for (const path of ['/agents/nobody', '/nowhere', '/agents?nonsense=1']) {
    const problem = (await (await fetch(url + path, { headers })).json()) as Record<string, string>
    expect(problem.type).toBe(`${prefix}/problems#${problem.code}`)
    expect(problem.instance).toBe(prefix + path.split('?')[0])
  }
})

test.each(noPrefixes)('a Problem says nothing of %s, which is no prefix', async (prefix) => {
  const headers = { 'x-forwarded-prefix': prefix }
  const problem = (await (await fetch(`${url}/nowhere`, { headers })).json()) as { type: string }
  expect(problem.type).toBe('/problems#unknown_path')
})

const linksOf = (page: string): string[] =>
  Array.from(page.matchAll(/(?:href|src)="([^"]*)"/g), ([, link = '']) => link)

describe.each(['/', '/docs', '/problems'])('the links of %s', (path) => {
  async function pageAt(prefix: string): Promise<string> {
    return (await fetch(url + path, { headers: { 'x-forwarded-prefix': prefix } })).text()
  }

  test.each(prefixes)('stay behind %s', async (prefix) => {
    const links = linksOf(await pageAt(prefix))
    expect(links.length).toBeGreaterThan(2)
    for (const link of links) {
      const target = new URL(link, `http://a.example${prefix}${path}`)
      expect(target.pathname).toMatch(new RegExp(`^${prefix}/`))
      expect((await fetch(url + target.pathname.slice(prefix.length))).status).toBe(200)
    }
  })

  test('stay behind a prefix that nobody names', async () => {
    for (const link of linksOf(await (await fetch(url + path)).text())) {
      expect(new URL(link, `http://a.example/api${path}`).pathname).toMatch(/^\/api\//)
    }
  })

  test.each(noPrefixes)('hold nothing of %s, which is no prefix', async (prefix) => {
    expect(await pageAt(prefix)).toBe(await (await fetch(url + path)).text())
  })
})

test('the first page leads on where it is asked for without a slash at the end of its prefix', async () => {
  const page = await fetch(url, { headers: { 'x-forwarded-prefix': '/api' } })
  for (const link of linksOf(await page.text())) {
    expect(new URL(link, 'http://a.example/api').pathname).toMatch(/^\/api\//)
  }
})
