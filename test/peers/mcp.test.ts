import { Ajv2020 } from 'ajv/dist/2020.js'
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
import {
  makeAgent,
  makeDatastore,
  makeKey,
  makeLearnedAgent,
  query,
  upsert,
} from '../support/things.ts'

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

const reader = (await makeKey(client, { scopes: ['datastores:read'] })).key
const asker = (await makeKey(client, { scopes: ['agents:query'] })).key

type Way = { path?: string; key?: string; mode?: VersionNegotiationMode; fetch?: typeof fetch }

async function connect({ path = '/mcp', key = testKey, mode = modern, ...way }: Way = {}) {
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  const transport = new StreamableHTTPClientTransport(new URL(url + path), { requestInit, ...way })
  const caller = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  await caller.connect(transport)
  return caller
}

const allTools = ['search', 'fetch', 'ask', 'list_datastores', 'list_documents']

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

type Result = {
  id: string
  title: string
  url: string
  path: string
  datastore: { id: string; name: string }
  text: string
  score: number
}
const search = async (caller: Client, args: object = {}): Promise<Result[]> =>
  (await call(caller, 'search', { query: question, ...args })).results

describe.each(ways)('by %s', (_, way) => {
  const tags = way === ways[0]![1] ? [] : ['deep']

  test('the tools are there, with short schemas', async () => {
    const { tools } = await (await connect(way)).listTools()
    expect(tools.map(({ name }) => name)).toEqual(allTools)
    const [searching, fetching, asking, , listing] = tools as [Tool, Tool, Tool, Tool, Tool]
    expect(searching.inputSchema).toMatchObject({
      required: ['query'],
      properties: {
        query: { type: 'string' },
        datastore: { type: 'string' },
        topK: { type: 'integer', minimum: 1, maximum: 100, default: 5 },
        filters: { type: 'object' },
      },
    })
    expect(searching.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(searching.description).toContain('Datastores: library, museum.')
    expect(fetching.inputSchema).toMatchObject({ required: ['id'] })
    expect(fetching.annotations).toMatchObject({ readOnlyHint: true })
    expect(asking.inputSchema).toMatchObject({ required: ['query'] })
    expect(asking.description).toContain('Agents: Librarian.')
    expect(listing.inputSchema).toMatchObject({ required: [] })
    for (const { inputSchema } of tools)
      expect(() => new Ajv2020().compile(inputSchema)).not.toThrow()
    const shown = JSON.stringify(tools)
    expect(Buffer.byteLength(shown)).toBeLessThan(6_000)
    expect(shown).not.toMatch(/pattern|\$ref|"x-/)
  })

  test('search and fetch give what can be cited', async () => {
    const caller = await connect(way)
    const [first] = await search(caller, { topK: 1 })
    const source = 'https://library.example/hours'
    expect(first).toEqual({
      id: hoursId,
      title: 'Opening hours',
      url: source,
      path: 'Opening hours',
      datastore: { id: datastore, name: 'library' },
      text: hours,
      score: expect.any(Number),
    })
    expect(await call(caller, 'fetch', { id: hoursId })).toEqual({
      id: hoursId,
      title: 'Opening hours',
      text: hours,
      url: source,
      path: 'Opening hours',
      datastore: { id: datastore, name: 'library' },
      metadata: { source_url: source, custom_id: 'main-street' },
    })
  })

  test('ask gives an agent’s answer with its sources', async () => {
    const answer = await call(await connect(way), 'ask', { agent, query: question })
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
    ...['mode', 'minScore', 'perDatasource', 'distinct', 'include'].map(
      (member): [string, Record<string, unknown>, string] => [
        'search',
        { query: question, [member]: 'keyword' },
        `/${member} is not known here.`,
      ],
    ),
    ['search', { query: question, filters: null }, '/filters is null; leave it out.'],
    [
      'search',
      { query: question, filters: { custom_ids: null } },
      '/filters/custom_ids is null; leave it out.',
    ],
    ['fetch', { id: 'src_unknown' }, 'There is no datasource src_unknown.'],
    ['fetch', { id: 'docs/hours.md' }, '/id must be the `id` of a result, as src_….'],
    ['fetch', {}, '/id is required.'],
    ['ask', { agent: 'agt_unknown', query: question }, 'There is no agent agt_unknown.'],
    [
      'ask',
      { agent: 'Clerk', query: question },
      /^\/agent is .* no agent; there are agt_\w+ \(Librarian\)\.$/,
    ],
    ['ask', { agent: 7, query: question }, '/agent must be the name or id of an agent.'],
    ['ask', { agent: 'Librarian' }, '/query is required.'],
    [
      'search',
      { query: question, datastore: 'archive' },
      /no datastore; there are dst_\w+ \(library\), /,
    ],
    [
      'search',
      { query: question, datastore: null },
      '/datastore must be the name or id of a datastore.',
    ],
    [
      'search',
      { query: question, datastore: 'dst_unknown' },
      /^\/datastore is the name or id of no datastore/,
    ],
    ['fetch', { id: 'src_unknown', dataStore: 'library' }, '/dataStore is not known here.'],
    [
      'list_documents',
      {},
      /^\/datastore is required, because there are several: dst_\w+ \(library\), /,
    ],
    ['list_datastores', { cursor: 'x' }, '/cursor is not the nextCursor of a page of this list.'],
    ['list_datastores', { cursor: 5 }, /^\/cursor /],
    [
      'list_documents',
      { datastore: 'library', cursor: 'x' },
      '/cursor is not the nextCursor of a page of this list.',
    ],
    ['list_documents', { datastore: 'library', cursor: [] }, /^\/cursor /],
    ['fetch', { id: `src_${'x'.repeat(128)}` }, /^\/id .*128/],
    [
      'ask',
      { agent: 'agt_x', query: question, conversationId: null },
      '/conversationId is null; leave it out.',
    ],
    [
      'ask',
      { agent: 'agt_x', query: question, topK: 32, modelName: 'gpt_4_32k' },
      /\/topK is not known here.*\n.*\/modelName is not known here/,
    ],
  ])(
    '%s %j is an error of the tool, in the words of a Problem',
    { tags },
    async (name, args, detail) => {
      const { error } = await call(await connect(way), name, args)
      expect(error).toEqual(typeof detail === 'string' ? detail : expect.stringMatching(detail))
    },
  )
})

test('search merges all datastores by score, each beside how many fragments it has', async () => {
  const asked = 'How long may books be kept, and when do library and museum open?'
  const found = await search(await connect(), { query: asked, topK: 3 })
  const sizes = { [datastore]: 2, [museum]: 1 }
  const alone = Object.entries(sizes).map(async ([id, size]) => {
    const fragments = await query(client, id, { query: asked, topK: 3 })
    return fragments.map((one: Fragment) => ({
      ...one,
      rank: one.score / (1 + 0.2 * Math.log(size)),
    }))
  })
  const best = (await Promise.all(alone)).flat().toSorted((a, b) => b.rank - a.rank)
  expect(found.map(({ id, score }) => [id, score])).toEqual(
    best.map(({ datasource_id, score }) => [datasource_id, score]),
  )
  expect(found.map(({ id }) => id).toSorted()).toEqual([hoursId, rulesId, museumId].toSorted())
})

test('a note is found before the weak matches of a large datastore, whose texts have its words', async () => {
  const { key } = await makeKey(client, {
    workspace: 'notes',
    scopes: ['datastores:read', 'datastores:write'],
  })
  const own = checkedClient(url, key)
  const things = ['socket', 'file', 'pipe', 'window', 'tunnel', 'port', 'device', 'stream']
  const texts = Array.from({ length: 400 }, (_, n) => {
    const [one, other] = [things[n % 8], things[Math.floor(n / 8) % 8]]
    const isRare = n % 20 === 0
    return isRare
      ? `Release ${n}: the library does open each ${one} when asked.`
      : `Release ${n}: a ${one} is closed when the ${other} does fail.`
  })
  await upsert(own, await makeDatastore(own, 'releases'), ...texts)
  const notes = await makeDatastore(own, 'notes')
  const others = ['Books may be kept for four weeks.', 'The printer is beside the desk.']
  const [noteId] = await upsert(own, notes, hours, ...others)
  const [first] = await search(await connect({ key }), { query: 'When does the library open?' })
  expect(first?.id).toBe(noteId)
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

test('a document without a web address is cited by the page that shows it', async () => {
  const caller = await connect()
  const { url: address, title, path } = await call(caller, 'fetch', { id: museumId })
  expect(address).toBe(`${url}/document#${museum}/${museumId}`)
  expect([title, path]).toEqual(['shelf 12', 'shelf 12'])
  const page = await fetch(address)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
})

test('search looks through the datastore that is named, by id or by name in any case', async () => {
  const caller = await connect()
  for (const named of [museum, 'museum', 'Museum ']) {
    const found = await search(caller, { datastore: named })
    expect(found.map(({ id }) => id)).toEqual([museumId])
    expect(found[0]?.datastore).toEqual({ id: museum, name: 'museum' })
  }
  // A folder's name as macOS writes it, and as an assistant does.
  const name = 'Cafés'.normalize('NFD')
  const cafes = await makeDatastore(client, name)
  const result = await call(caller, 'search', { query: question, datastore: 'cafés' })
  expect(result).toEqual({ results: [] })
  await sdk.deleteDatastore({ client, path: { id: cafes } })
})

test('files of one name are told apart by their paths, or else by their ids', async () => {
  const id = await makeDatastore(client, 'packages')
  const sources = ['packages/one/README.md', 'packages/two/README.md', undefined, undefined]
  const ids = await upsert(
    client,
    id,
    ...sources.map((source, n) => ({
      text: `The zither ${n} is tuned.`,
      name: 'README.md',
      metadata: source === undefined ? {} : { source, url: `https://zither.example/${n}` },
    })),
  )
  const caller = await connect({ path: `/datastores/${id}/mcp` })
  const found = await search(caller, { query: 'zither' })
  const byId = new Map(found.map((one) => [one.id, one]))
  const [one, two, three, four] = ids.map((each) => byId.get(each))
  expect([one, two].map((each) => [each?.title, each?.path])).toEqual([
    [sources[0], sources[0]],
    [sources[1], sources[1]],
  ])
  expect(two?.url).toBe('https://zither.example/1')
  expect([three?.title, four?.title]).toEqual([`README.md (${ids[2]})`, `README.md (${ids[3]})`])
  await sdk.deleteDatastore({ client, path: { id } })
})

test('several datastores of one name are named by their ids', async () => {
  const [one, two] = [await makeDatastore(client, 'twin'), await makeDatastore(client, 'twin')]
  const caller = await connect()
  const { error } = await call(caller, 'search', { query: question, datastore: 'twin' })
  expect(error).toBe(`/datastore is the name of several: ${one} (twin), ${two} (twin).`)
  expect(await search(caller, { datastore: two })).toEqual([])
  for (const id of [one, two]) await sdk.deleteDatastore({ client, path: { id } })
})

test('datastores and documents are listed by pages', async () => {
  const { key } = await makeKey(client, {
    workspace: 'listed',
    scopes: ['datastores:read', 'datastores:write'],
  })
  const own = checkedClient(url, key)
  const caller = await connect({ key })
  expect(await call(caller, 'list_datastores', {})).toEqual({ datastores: [] })
  const id = await makeDatastore(own, 'shelf')
  const texts = Array.from({ length: 51 }, (_, n) => ({ text: `Book ${n}`, name: `book ${n}` }))
  const ids = await upsert(own, id, ...texts)
  expect(await call(caller, 'list_datastores', {})).toEqual({
    datastores: [{ id, name: 'shelf', documents: 51 }],
  })
  const { documents, nextCursor, datastore: of } = await call(caller, 'list_documents', {})
  expect(of).toEqual({ id, name: 'shelf' })
  const rest = await call(caller, 'list_documents', { datastore: 'shelf', cursor: nextCursor })
  expect(rest.nextCursor).toBeUndefined()
  expect([...documents, ...rest.documents].map((one: Result) => [one.id, one.title])).toEqual(
    ids.map((each, n) => [each, `book ${n}`]),
  )
})

test('a long document is fetched in parts, which joined are its text', async () => {
  const id = await makeDatastore(client, 'novel')
  const text = [
    'The zither is tuned.\n'.repeat(3_000),
    // Without a line to end at, and of characters of two units each.
    `x${'𝄞'.repeat(20_000)}`,
  ].join('')
  const [novel = ''] = await upsert(client, id, text)
  const caller = await connect()
  const parts = [await call(caller, 'fetch', { id: novel })]
  while (parts.length < parts[0].parts) {
    parts.push(
      await call(caller, 'fetch', { id: novel, datastore: 'novel', part: parts.length + 1 }),
    )
  }
  expect(parts.map((one) => one.part)).toEqual([1, 2, 3, 4])
  expect(parts.map((one) => one.text).join('')).toBe(text)
  for (const one of parts) expect(one.text.isWellFormed()).toBe(true)
  for (const part of [0, 5]) {
    expect(await call(caller, 'fetch', { id: novel, part })).toEqual({
      error: '/part must be 1 to 4.',
    })
  }
  await sdk.deleteDatastore({ client, path: { id } })
})

const expectResources = async (_: string, way: Way) => {
  const { key } = await makeKey(client, {
    workspace: `resources-${ways.findIndex(([, one]) => one === way)}`,
    scopes: ['datastores:read', 'datastores:write'],
  })
  const own = checkedClient(url, key)
  const caller = await connect({ ...way, key })
  expect(await caller.listResources()).toMatchObject({ resources: [] })
  const documents = (count: number) =>
    Array.from({ length: count }, (__, n) => ({ text: `Book ${n}`, name: `book ${n}` }))
  const uris: string[] = []
  for (const [name, count] of [
    ['one', 30],
    ['none', 0],
    ['two', 75],
    ['three', 1],
  ] as const) {
    const id = await makeDatastore(own, name)
    const ids = await upsert(own, id, ...documents(count))
    uris.push(...ids.map((each) => `agents-datastores://documents/${id}/${each}`))
  }
  const pages = []
  for (let cursor: string | undefined; ;) {
    const { resources, nextCursor } = await caller.request({
      method: 'resources/list',
      params: { cursor },
    })
    pages.push(resources)
    if (nextCursor === undefined) break
    cursor = nextCursor
  }
  expect(pages.map((page) => page.length)).toEqual([50, 50, 6])
  expect(pages.flat().map(({ uri }) => uri)).toEqual(uris)
  expect(pages[0]![0]).toMatchObject({
    name: 'book 0',
    description: 'In one',
    mimeType: 'text/plain',
  })
  const { resourceTemplates } = await caller.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'agents-datastores://documents/{datastore}/{document}{?part}',
  ])
  const [uri = ''] = uris
  expect((await caller.readResource({ uri })).contents).toEqual([
    { uri, mimeType: 'text/plain', text: 'Book 0' },
  ])
  const theirs = `agents-datastores://documents/${museum}/${museumId}`
  for (const wrong of [theirs, `${uri}x`, `${uri}?part=2`, 'file:///etc/passwd', 'x']) {
    await expect(caller.readResource({ uri: wrong })).rejects.toMatchObject({
      code: expect.toBeOneOf([-32602, -32002]),
    })
  }
}

test.each(ways.slice(0, 1))('documents are resources, by %s', expectResources)
test.each(ways.slice(1))('documents are resources, by %s', { tags: 'deep' }, expectResources)

const textOf = (content: object = {}): string => ('text' in content ? String(content.text) : '')

test.each(['/mcp', `/datastores/${museum}/mcp`])(
  'a resource whose ids are those of nothing is not found at %s',
  async (path) => {
    const caller = await connect({ path })
    const places = [
      'dst_000000000000000000000000/src_0',
      `museum/${museumId}`,
      `${museum}/src_0`,
      `${museum}/${hoursId}`,
      `${'x'.repeat(129)}/${museumId}`,
      `${museum}/${'x'.repeat(129)}`,
    ]
    for (const place of places) {
      const uri = `agents-datastores://documents/${place}`
      await expect(caller.readResource({ uri })).rejects.toThrow(`Resource not found: ${uri}`)
    }
  },
)

test('a long resource is read in parts, each of which says where the next is', async () => {
  const id = await makeDatastore(client, 'novel')
  const text = 'The zither is tuned.\n'.repeat(3_000)
  const [novel] = await upsert(client, id, text)
  const caller = await connect()
  const first = `agents-datastores://documents/${id}/${novel}`
  const parts: string[] = []
  for (let uri: string | undefined = first; uri;) {
    const { contents }: { contents: object[] } = await caller.readResource({ uri })
    const [, part = '', next]: (string | undefined)[] =
      /^(.*?)(?:\n\n\[Part \d of 2\. The next: (\S+)\])?$/s.exec(textOf(contents[0]))!
    parts.push(part)
    uri = next
  }
  expect(parts.join('')).toBe(text)
  expect(parts).toHaveLength(2)
  await sdk.deleteDatastore({ client, path: { id } })
})

test('the endpoint of a datastore has its documents alone as resources, and a key for agents none', async () => {
  const caller = await connect({ path: `/datastores/${museum}/mcp` })
  const { resources } = await caller.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual([
    `agents-datastores://documents/${museum}/${museumId}`,
  ])
  const elsewhere = `agents-datastores://documents/${datastore}/${hoursId}`
  await expect(caller.readResource({ uri: elsewhere })).rejects.toThrow()
  const ofAgents = await connect({ key: asker, mode: 'legacy' })
  expect(ofAgents.getServerCapabilities()).not.toHaveProperty('resources')
})

test('ask needs no agent where there is one, and takes a name', async () => {
  const caller = await connect()
  for (const args of [{}, { agent: 'librarian' }]) {
    const { answer } = await call(caller, 'ask', { query: question, ...args })
    expect(answer).toBe(hours)
  }
  const { id } = await makeAgent(client, { name: 'Clerk' })
  const { error } = await call(caller, 'ask', { query: question })
  expect(error).toBe(
    `/agent is required, because there are several: ${agent} (Librarian), ${id} (Clerk).`,
  )
  await sdk.deleteAgent({ client, path: { id } })
  const byId = await connect({ key: asker })
  const { tools } = await byId.listTools()
  expect(tools[0]?.description).toContain('needs the id of the agent')
  for (const args of [{}, { agent: 'Librarian' }]) {
    const told = await call(byId, 'ask', { query: question, ...args })
    expect(told.error).toMatch(/^\/agent must be the id of an agent, as agt_…: .*agents:read/)
  }
})

test.each([
  ['revision 2026-07-28', 'auto'],
  ['an older revision', 'legacy'],
] as const)('by %s the instructions name what is there', async (_, mode) => {
  const caller = await connect({ mode })
  const instructions = caller.getInstructions()
  expect(instructions).toContain('`search`')
  expect(instructions).toContain('- library: 2 documents\n- museum: 1 document')
  expect(instructions).toContain('Agents:\n- Librarian: Answers questions.')
  const ofOne = await connect({ mode, path: `/datastores/${museum}/mcp` })
  expect(ofOne.getInstructions()).toContain('- museum: 1 document')
  expect(ofOne.getInstructions()).not.toMatch(/library:|Librarian|`ask`/)
  const ofReader = await connect({ mode, key: reader })
  expect(ofReader.getInstructions()).not.toMatch(/Librarian|`ask`/)
})

test('the instructions and tools stay short, however much there is', { tags: 'deep' }, async () => {
  const { key } = await makeKey(client, {
    workspace: 'full',
    scopes: ['datastores:read', 'datastores:write', 'agents:read', 'agents:write', 'agents:query'],
  })
  const own = checkedClient(url, key)
  const make = (n: number) =>
    Promise.all([
      makeDatastore(own, `図書館 ${n} `.repeat(20)),
      makeAgent(own, { name: `司書 ${n} `.repeat(20), description: '答える。'.repeat(100) }),
    ])
  // The oldest are named.
  await make(0)
  await Promise.all(Array.from({ length: 24 }, (_, n) => make(n + 1)))
  const caller = await connect({ key, mode: 'legacy' })
  const instructions = caller.getInstructions() ?? ''
  expect(Buffer.byteLength(instructions)).toBeLessThanOrEqual(2_048)
  expect(instructions.match(/^- (図書館|司書) 0 /gm)).toEqual(['- 図書館 0 ', '- 司書 0 '])
  expect(instructions.match(/^- and more$/gm)).toHaveLength(2)
  expect(instructions).not.toContain('Librarian')
  const { tools } = await caller.listTools()
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(6_000)
})

test('the endpoint of a datastore has that datastore alone, and no agents', async () => {
  const caller = await connect({ path: `/datastores/${museum}/mcp` })
  const { tools } = await caller.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch', 'list_documents'])
  expect(JSON.stringify(tools)).not.toContain('"datastore":')
  expect((await search(caller)).map(({ id }) => id)).toEqual([museumId])
  const { error } = await call(caller, 'fetch', { id: hoursId })
  expect(error).toBe(`There is no datasource ${hoursId}.`)
})

test('a conversation goes on', async () => {
  const caller = await connect()
  const ask = (args: object) => call(caller, 'ask', { agent, query: question, ...args })
  const { conversationId } = await ask({})
  expect((await ask({ conversationId })).conversationId).toBe(conversationId)
})

test('a search of nothing names what is wrong with it', async () => {
  const { key } = await makeKey(client, { workspace: 'empty', scopes: ['datastores:read'] })
  const caller = await connect({ key })
  const wrong = { query: question, filters: null, limit: 5 }
  const { error } = await call(caller, 'search', wrong)
  expect(error).toMatch(/\/limit is not known here.*\n.*\/filters is null; leave it out\./)
  expect((await call(caller, 'search', {})).error).toBe('/query is required.')
  expect(await search(caller)).toEqual([])
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
    ['ask', { agent, query: question }],
  ] as const) {
    const { error } = await call(caller, name, args)
    expect(error).toMatch(/^There is no (datasource|agent) \w+\.$/)
  }
  for (const [name, args] of [
    ['search', { query: question, datastore }],
    ['list_documents', { datastore }],
  ] as const) {
    const { error } = await call(caller, name, args)
    expect(error).toBe('/datastore is the name or id of no datastore.')
  }
  const uri = `agents-datastores://documents/${datastore}/${hoursId}`
  await expect(caller.readResource({ uri })).rejects.toThrow(`Resource not found: ${uri}`)
  expect((await caller.listResources()).resources).toEqual([])
  expect(caller.getInstructions()).not.toMatch(/Librarian|museum/)
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
  ['reads datastores', reader, ['search', 'fetch', 'list_datastores', 'list_documents']],
  ['asks agents', asker, ['ask']],
])('a key that %s has the tools for it', async (_, key, names) => {
  const { tools } = await (await connect({ key })).listTools()
  expect(tools.map(({ name }) => name)).toEqual(names)
})

test('an agent’s id that is too long is told as the argument that it is', async () => {
  const caller = await connect({ key: asker })
  const { error } = await call(caller, 'ask', { agent: `agt_${'x'.repeat(129)}`, query: question })
  expect(error).toMatch(/^\/agent .*128/)
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

const unnoticed = { tools: { listChanged: false }, resources: { listChanged: false } }

test.each(ways)('no notice of changes is promised by %s', async (_, way) => {
  expect((await connect(way)).getServerCapabilities()).toEqual(unnoticed)
})

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'a client of revision %s is answered in it',
  async (protocolVersion) => {
    const clientInfo = { name: 'test', version: '1.0.0' }
    const params = { protocolVersion, capabilities: {}, clientInfo }
    const response = await post('/mcp', { body: { ...listing, method: 'initialize', params } })
    expect(response.headers.get('mcp-session-id')).toBeNull()
    const [, data = ''] = /^data: (.*)$/m.exec(await response.text()) ?? []
    const { result } = JSON.parse(data)
    expect(result).toMatchObject({
      protocolVersion,
      serverInfo: { name: 'agents-datastores', version: document.info.version },
    })
    expect(result.capabilities).toEqual(unnoticed)
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
  ['resources/list', { cursor: 5 }, -32602],
  ['resources/list', { cursor: 'x' }, -32602],
  ['resources/read', {}, -32602],
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

test.each(['jsonrpc', 'id', 'method', 'params'])(
  'a %s that no text can be made of is the caller’s fault',
  async (member) => {
    const untold = { toString: 'x', valueOf: 'y' }
    for (const name of ['initialize', 'tools/call', 'resources/read']) {
      const params = { name: untold, uri: untold, cursor: untold, _meta: untold }
      const body = { ...listing, method: name, params, [member]: untold }
      const { status } = await post('/mcp', { body })
      expect([name, status < 500]).toEqual([name, true])
    }
  },
)

test.each([
  ['{bad', -32700],
  ['{"jsonrpc":', -32700],
  ['[]', -32600],
  [JSON.stringify([listing]), -32600],
  ['7', -32600],
])('%j is no message: the error %i of JSON-RPC', async (body, code) => {
  const headers = { Authorization: `Bearer ${testKey}`, 'Content-Type': 'application/json' }
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body })
  const reply = await response.json()
  expect([response.status, reply]).toMatchObject([
    400,
    { jsonrpc: '2.0', id: null, error: { code } },
  ])
})

test('a message whose body names no revision is not taken for one of its header', async () => {
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
  const response = await post('/mcp', { headers })
  expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32602 } }])
})

test(
  'in a workspace of more datastores than one call searches, one is named',
  { tags: 'deep' },
  async () => {
    const { key } = await makeKey(client, {
      workspace: 'many',
      scopes: ['datastores:read', 'datastores:write'],
    })
    const own = checkedClient(url, key)
    await Promise.all(Array.from({ length: 33 }, (_, n) => makeDatastore(own, `n${n}`)))
    const caller = await connect({ key })
    const { error } = await call(caller, 'search', { query: question })
    expect(error).toContain('list_datastores')
    expect(await search(caller, { datastore: 'n32' })).toEqual([])
  },
)

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
