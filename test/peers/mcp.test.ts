import {
  Client,
  StreamableHTTPClientTransport,
  type Tool,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import http from 'node:http'
import { describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { AgentAnswer, Fragment } from '../../generated/types.gen.ts'
import { complaint, document } from '../support/contract.ts'
import { Provider, recordedError, sendJson } from '../support/provider.ts'
import { checkedClient, startServer, testKey } from '../support/server.ts'
import { makeDatastore, makeKey, makeLearnedAgent, query, upsert } from '../support/things.ts'

/** The Model Context Protocol, by its official client. */

const { client, url } = await startServer()

const hours = 'The library opens at nine in the morning, Monday to Saturday.'
const question = 'When does the library open?'
const {
  agent,
  datastore,
  datasources: [hoursId = '', rulesId = ''],
} = await makeLearnedAgent(client, [
  {
    text: hours,
    name: 'Opening hours',
    metadata: { source_url: 'https://library.example/hours', custom_id: 'main-street' },
  },
  'Books may be kept for four weeks and renewed twice.',
])
const museum = await makeDatastore(client, 'museum')
const [museumId = ''] = await upsert(client, museum, {
  text: 'The museum opens at ten in the morning.',
  metadata: { source: 'shelf 12' },
})

type Way = { path?: string; key?: string; mode?: VersionNegotiationMode; fetch?: typeof fetch }

async function connect({ path = '/mcp', key = testKey, mode = modern, ...way }: Way = {}) {
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  const transport = new StreamableHTTPClientTransport(new URL(url + path), { requestInit, ...way })
  const caller = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  await caller.connect(transport)
  return caller
}

const modern = { pin: '2026-07-28' } as const
const ways: [string, Way][] = [
  ['revision 2026-07-28', {}],
  ['an older revision', { mode: 'legacy' }],
  ['the revision that the server knows', { mode: 'auto' }],
  ['headers of an older revision than the message', { fetch: withOlderHeaders }],
]

/** As Claude's client sends them. */
async function withOlderHeaders(input: string | URL | Request, init?: RequestInit) {
  const request = new Request(input, init)
  request.headers.set('mcp-protocol-version', '2025-11-25')
  for (const name of ['mcp-method', 'mcp-name']) request.headers.delete(name)
  return fetch(request)
}

async function call(caller: Client, name: string, args: Record<string, unknown>) {
  const result = await caller.callTool({ name, arguments: args })
  const [block, ...others] = result.content
  expect(others).toEqual([])
  const text = block?.type === 'text' ? block.text : ''
  if (result.isError) return { error: text }
  expect(JSON.parse(text)).toEqual(result.structuredContent)
  return JSON.parse(text)
}

type Result = { id: string; title: string; url: string; text: string; score: number }
const search = async (caller: Client, args: object = {}): Promise<Result[]> =>
  (await call(caller, 'search', { query: question, ...args })).results

describe.each(ways)('by %s', (_, way) => {
  test('the tools are there, with the schemas of the contract', async () => {
    const { tools } = await (await connect(way)).listTools()
    expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch', 'ask'])
    const [searching, fetching, asking] = tools as [Tool, Tool, Tool]
    const { QueryText } = document.components.schemas
    const { properties = {}, required, ...rest } = searching.inputSchema
    expect(required).toEqual(['query'])
    expect(properties).toMatchObject({
      query: { type: 'string', maxLength: QueryText.maxLength, description: QueryText.description },
      topK: { maximum: 100, default: 5 },
      filters: { $ref: '#/$defs/Filters' },
    })
    const shown = JSON.stringify(rest)
    for (const [, name = ''] of shown.matchAll(/"#\/\$defs\/(\w+)"/g)) {
      expect(rest.$defs).toHaveProperty(name)
    }
    expect(shown).not.toMatch(/discriminator|components|"x-/)
    expect(searching.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(fetching.inputSchema).toMatchObject({ required: ['id'] })
    expect(fetching.annotations).toMatchObject({ readOnlyHint: true })
    expect(asking.inputSchema).toMatchObject({ required: ['agentId', 'query'] })
    expect(asking.description).toContain(`${agent}: Librarian`)
  })

  test('search and fetch give what can be cited', async () => {
    const caller = await connect(way)
    const [first] = await search(caller, { topK: 1 })
    const source = 'https://library.example/hours'
    expect(first).toEqual({
      id: hoursId,
      title: 'Opening hours',
      url: source,
      text: hours,
      score: expect.any(Number),
    })
    expect(await call(caller, 'fetch', { id: hoursId })).toEqual({
      id: hoursId,
      title: 'Opening hours',
      text: hours,
      url: source,
      metadata: { source_url: source, custom_id: 'main-street' },
    })
  })

  test('ask gives an agent’s answer with its sources', async () => {
    const answer = await call(await connect(way), 'ask', { agentId: agent, query: question })
    expect(complaint(document.components.schemas.AgentAnswer, answer)).toBeUndefined()
    const { answer: text, sources } = answer as AgentAnswer
    expect(text).toBe(hours)
    expect(sources[0]).toMatchObject({ text: hours, datasource_id: hoursId })
  })

  test.each([
    ['search', { query: ' ' }, '/query must not be only white space and invisible characters.'],
    [
      'search',
      { query: question, topK: 0, tokp: 1 },
      /\/tokp is not known.*topK.*\n.*>= 1|>= 1.*\n.*tokp/,
    ],
    ['search', { query: question, filters: null }, '/filters is null; leave it out.'],
    [
      'search',
      { query: question, filters: { custom_ids: null } },
      '/filters/custom_ids is null; leave it out.',
    ],
    ['fetch', { id: 'src_unknown' }, 'There is no datasource src_unknown.'],
    ['fetch', {}, '/id is required.'],
    ['ask', { agentId: 'agt_unknown', query: question }, 'There is no agent agt_unknown.'],
    ['ask', { query: question }, '/agentId is required.'],
    [
      'ask',
      { agentId: 'agt_x', query: question, conversationId: null },
      '/conversationId is null; leave it out.',
    ],
    [
      'ask',
      { agentId: 'agt_x', query: question, topK: 32, modelName: 'gpt_4_32k' },
      /\/topK is not known here.*\n.*\/modelName is not known here/,
    ],
  ])('%s %j is an error of the tool, in the words of a Problem', async (name, args, detail) => {
    const { error } = await call(await connect(way), name, args)
    expect(error).toEqual(typeof detail === 'string' ? detail : expect.stringMatching(detail))
  })
})

test('search merges all datastores by score, each beside how many fragments it has', async () => {
  const asked = 'How long may books be kept, and when do library and museum open?'
  const found = await search(await connect(), { query: asked, topK: 3 })
  const sizes = { [datastore]: 2, [museum]: 1 }
  const alone = Object.entries(sizes).map(async ([id, size]) => {
    const fragments = await query(client, id, { query: asked, topK: 3 })
    return fragments.map((one: Fragment) => ({ ...one, rank: one.score - 0.03 * Math.log(size) }))
  })
  const best = (await Promise.all(alone)).flat().toSorted((a, b) => b.rank - a.rank)
  expect(found.map(({ id, score }) => [id, score])).toEqual(
    best.map(({ datasource_id, score }) => [datasource_id, score]),
  )
  expect(found.map(({ id }) => id).toSorted()).toEqual([hoursId, rulesId, museumId].toSorted())
})

test('search takes the filters of a query', async () => {
  const caller = await connect()
  const filters = { custom_ids: ['main-street'] }
  expect((await search(caller, { filters })).map(({ id }) => id)).toEqual([hoursId])
  const metadata = { type: 'eq', key: 'source', value: 'shelf 12' }
  expect((await search(caller, { filters: { metadata } })).map(({ id }) => id)).toEqual([museumId])
})

test('a document is one result, with all of its passages that were found', async () => {
  const id = await makeDatastore(client, 'long')
  const texts = Array.from({ length: 40 }, (_, n) => `Chapter ${n} is of the zither. `.repeat(20))
  await upsert(client, id, texts.join('\n\n'))
  const caller = await connect({ path: `/datastores/${id}/mcp` })
  const fragments = await query(client, id, { query: 'zither' })
  expect(fragments.length).toBeGreaterThan(1)
  const [result, ...others] = await search(caller, { query: 'zither' })
  expect(others).toEqual([])
  for (const { text } of fragments) expect(result?.text).toContain(text)
  await sdk.deleteDatastore({ client, path: { id } })
})

test('a document without a web address is cited where the service has it', async () => {
  const caller = await connect()
  const { url: address, title } = await call(caller, 'fetch', { id: museumId })
  expect(address).toBe(`${url}/datastores/${museum}/datasources/${museumId}`)
  expect(title).toBe('shelf 12')
  const read = await fetch(address, { headers: { authorization: `Bearer ${testKey}` } })
  expect(await read.json()).toMatchObject({ id: museumId })
})

test('the endpoint of a datastore has that datastore alone, and no agents', async () => {
  const caller = await connect({ path: `/datastores/${museum}/mcp` })
  const { tools } = await caller.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch'])
  expect((await search(caller)).map(({ id }) => id)).toEqual([museumId])
  const { error } = await call(caller, 'fetch', { id: hoursId })
  expect(error).toBe(`There is no datasource ${hoursId}.`)
})

test('a conversation goes on', async () => {
  const caller = await connect()
  const ask = (args: object) => call(caller, 'ask', { agentId: agent, query: question, ...args })
  const { conversationId } = await ask({})
  expect((await ask({ conversationId })).conversationId).toBe(conversationId)
})

test('what is another workspace’s is as if it never was', async () => {
  const { key } = await makeKey(client, {
    workspace: 'elsewhere',
    scopes: ['datastores:read', 'agents:read', 'agents:query'],
  })
  const caller = await connect({ key })
  expect(await search(caller)).toEqual([])
  const { tools } = await caller.listTools()
  expect(JSON.stringify(tools)).not.toContain(agent)
  for (const [name, args] of [
    ['fetch', { id: hoursId }],
    ['ask', { agentId: agent, query: question }],
  ] as const) {
    const { error } = await call(caller, name, args)
    expect(error).toMatch(/^There is no (datasource|agent) \w+\.$/)
  }
  const [theirs, never] = await Promise.all(
    [datastore, 'dst_unknown'].map(async (id) => {
      const response = await post(`/datastores/${id}/mcp`, { key })
      return [response.status, (await response.text()).replaceAll(id, '').replace(/req_\w+/, '')]
    }),
  )
  expect(theirs).toEqual(never)
  expect(theirs?.[0]).toBe(404)
})

const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const calling = (name: string) => ({
  ...listing,
  method: 'tools/call',
  params: { name, arguments: { query: question } },
})

type Post = {
  base?: string
  key?: string
  headers?: Record<string, string>
  body?: unknown
  signal?: AbortSignal | undefined
}
const post = (path: string, options: Post = {}) => {
  const { base = url, key = testKey, headers = {}, body = listing, signal = null } = options
  return fetch(base + path, {
    method: 'POST',
    signal,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  })
}

const realm = 'Bearer realm="agents-datastores"'
const lacking = (scope: string) => `${realm}, error="insufficient_scope", scope="${scope}"`
const reader = (await makeKey(client, { scopes: ['datastores:read'] })).key
const asker = (await makeKey(client, { scopes: ['agents:query'] })).key
const writer = (await makeKey(client, { scopes: ['datastores:write', 'agents:read'] })).key

test.each([
  ['no key', '/mcp', { headers: { authorization: '' } }, 401, `${realm}, error="invalid_token"`],
  ['a wrong key', '/mcp', { key: 'x'.repeat(40) }, 401, `${realm}, error="invalid_token"`],
  ['a key for no tool', '/mcp', { key: writer }, 403, lacking('datastores:read')],
  [
    'a key for agents',
    `/datastores/${museum}/mcp`,
    { key: asker },
    403,
    lacking('datastores:read'),
  ],
  [
    'another tool’s key',
    '/mcp',
    { key: asker, body: calling('search') },
    403,
    lacking('datastores:read'),
  ],
  [
    'another tool’s key',
    '/mcp',
    { key: reader, body: calling('ask') },
    403,
    lacking('agents:query'),
  ],
  ['an unknown datastore', '/datastores/dst_unknown/mcp', {}, 404, null],
  ['a slash at the end', '/mcp/', {}, 404, null],
  ['a path that is not UTF-8', '/datastores/%ff/mcp', {}, 400, null],
  ['several messages', '/mcp', { body: [listing, listing] }, 400, null],
  ['no message', '/mcp', { body: 7 }, 400, null],
  ['another media type', '/mcp', { headers: { 'content-type': 'text/plain' } }, 415, null],
  ['too large a body', '/mcp', { body: 'x'.repeat(4_194_304) }, 413, null],
] satisfies [string, string, Post, number, string | null][])(
  '%s, %s: a Problem as anywhere',
  async (_, path, options, status, authenticate) => {
    const response = await post(path, options)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      status,
      authenticate,
    ])
    const problem = await response.json()
    expect(complaint(document.components.schemas.Problem, problem)).toBeUndefined()
    expect(problem).toMatchObject({ status, requestId: response.headers.get('x-request-id') })
  },
)

test.each([
  ['reads datastores', reader, ['search', 'fetch']],
  ['asks agents', asker, ['ask']],
])('a key that %s has the tools for it', async (_, key, names) => {
  const { tools } = await (await connect({ key })).listTools()
  expect(tools.map(({ name }) => name)).toEqual(names)
})

test.each(['GET', 'HEAD', 'DELETE', 'PUT'])('%s is 405, as there is no session', async (method) => {
  const response = await fetch(`${url}/mcp`, { method })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
})

const { port } = new URL(url)
const evil = `evil.example:${port}`

test.each<[string, Record<string, string>, number]>([
  ['of its own address', { origin: url }, 200],
  ['of localhost', { origin: `http://localhost:${port}` }, 200],
  ['of localhost over IPv6', { origin: `http://[::1]:${port}` }, 200],
  ['of none', {}, 200],
  ['of a name that was made to lead here', { origin: `http://${evil}`, host: evil }, 403],
  [
    'of a name that a proxy is said to have',
    { origin: `http://${evil}`, 'x-forwarded-host': evil },
    403,
  ],
  [
    'of the same with TLS',
    { origin: `https://${evil}`, host: evil, 'x-forwarded-proto': 'https' },
    403,
  ],
  ['of another port', { origin: `http://localhost:${Number(port) - 1}` }, 403],
  ['of no port', { origin: 'http://localhost' }, 403],
  ['of another protocol', { origin: `https://localhost:${port}` }, 403],
  ['of a longer name', { origin: `http://localhost.evil.example:${port}` }, 403],
  ['of a file', { origin: 'null' }, 403],
  ['of what is no origin', { origin: `${url}/` }, 403],
])('a page %s: %j is %i', async (_, headers, status) => {
  expect(await statusOf('/mcp', headers)).toBe(status)
  expect(await statusOf(`/datastores/${museum}/mcp`, headers)).toBe(status)
})

/** By a client that sends any `Host`. */
function statusOf(path: string, own: Record<string, string>): Promise<number | undefined> {
  const headers = {
    authorization: `Bearer ${testKey}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...own,
  }
  return new Promise((resolve, reject) => {
    http
      .request(url + path, { method: 'POST', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      .on('error', reject)
      .end(JSON.stringify(listing))
  })
}

const some = await startServer({ corsOrigins: ['https://app.example'] })
const open = await startServer({ corsOrigins: ['*'] })

test.each([
  ['off', url, 'https://app.example', 403],
  ['off', url, 'null', 403],
  ['off', url, url, 200],
  ['off', url, `${url}0`, 403],
  ['a list', some.url, 'https://app.example', 200],
  ['a list', some.url, 'https://evil.example', 403],
  ['*', open.url, 'https://evil.example', 200],
])('CORS_ORIGINS %s: POST %s/mcp of a page of %s is %i', async (_, base, origin, status) => {
  const response = await post('/mcp', { base, headers: { origin } })
  expect(response.status).toBe(status)
  if (status === 403) expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null })
})

test('subscriptions are refused, as the tools never change', async () => {
  const caller = await connect()
  await expect(caller.listen({ toolsListChanged: true })).rejects.toThrow(/limit/i)
})

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'a client of revision %s is answered in it',
  async (protocolVersion) => {
    const clientInfo = { name: 'test', version: '1.0.0' }
    const params = { protocolVersion, capabilities: {}, clientInfo }
    const response = await post('/mcp', { body: { ...listing, method: 'initialize', params } })
    expect(response.headers.get('mcp-session-id')).toBeNull()
    const [, data = ''] = /^data: (.*)$/m.exec(await response.text()) ?? []
    expect(JSON.parse(data).result).toMatchObject({
      protocolVersion,
      serverInfo: { name: 'agents-datastores', version: document.info.version },
      capabilities: { tools: { listChanged: false } },
    })
  },
)

test.each<[string, unknown, number]>([
  ['initialize', undefined, -32602],
  ['initialize', {}, -32602],
  ['initialize', { protocolVersion: 5, capabilities: {}, clientInfo: {} }, -32602],
  ['initialize', { protocolVersion: '2025-06-18', capabilities: null, clientInfo: null }, -32602],
  ['tools/list', { cursor: 5 }, -32602],
  ['tools/list', { cursor: null }, -32602],
  ['tools/call', undefined, -32602],
  ['tools/call', { name: 5 }, -32602],
  ['tools/call', { name: 'search', arguments: null }, -32602],
  ['tools/call', { name: 'nonsense' }, -32602],
  ['ping', { _meta: { progressToken: {} } }, -32600],
  ['ping', { _meta: null }, -32600],
  ['tools/list', [], -32600],
  ['tools/call', null, -32600],
  ['nonsense', {}, -32601],
])('%s with params %j is the error %i of JSON-RPC', async (method, params, code) => {
  const answered = await post('/mcp', { body: { ...listing, method, params } })
  const text = await answered.text()
  const reply = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
  expect(reply).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code } })
})

test('a message whose body names no revision is not taken for one of its header', async () => {
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
  const response = await post('/mcp', { headers })
  expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32602 } }])
})

test('a workspace of more datastores than one call searches says where to go', async () => {
  const { key } = await makeKey(client, {
    workspace: 'many',
    scopes: ['datastores:read', 'datastores:write'],
  })
  const own = checkedClient(url, key)
  await Promise.all(Array.from({ length: 33 }, (_, n) => makeDatastore(own, `n${n}`)))
  const { error } = await call(await connect({ key }), 'search', { query: question })
  expect(error).toContain('/datastores/{id}/mcp')
})

describe('where a provider makes the vectors', async () => {
  const provider = await Provider.start()
  const served = await startServer({ provider: provider.settings })
  for (const name of ['a', 'b', 'c']) {
    await upsert(served.client, await makeDatastore(served.client, name), `Of ${name}.`)
  }
  const ask = (signal?: AbortSignal) =>
    post('/mcp', { base: served.url, body: calling('search'), signal })

  test('a question is embedded once for all datastores, and a failure of the provider is told', async () => {
    provider.calls.length = 0
    expect(await (await ask()).text()).toContain('results')
    expect(provider.calls.map(({ body }) => body.input)).toEqual([[question]])
    const failure = recordedError('invalid_request_error', 'invalid_api_key', 'sk-canary')
    provider.behaviour = (_call, response) => sendJson(response, 401, failure)
    const failed = await (await ask()).text()
    expect(failed).toContain('"isError":true')
    expect(failed).not.toContain('canary')
  })

  test('a client that hangs up ends its call, and is no fault of the service', async () => {
    provider.calls.length = 0
    provider.behaviour = () => new Promise(() => undefined)
    const leaving = new AbortController()
    const asked = ask(leaving.signal)
    // A call whose connection was just closed is repeated.
    await expect.poll(() => provider.calls.length).toBeGreaterThan(0)
    served.logged.length = 0
    leaving.abort()
    await expect(asked).rejects.toThrow()
    // A line of the request before it may come late.
    const unanswered = () =>
      served.logged.filter(({ operationId, status }) => operationId === 'mcp' && !status)
    await expect.poll(unanswered).toHaveLength(1)
    expect(served.logged.filter(({ level }) => Number(level) > 30)).toEqual([])
  })
})
