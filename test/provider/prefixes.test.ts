import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { callTool } from '../support/mcp.ts'
import { Provider, recorded, sendJson } from '../support/provider.ts'
import {
  checkedClient,
  openServer,
  startServer,
  temporaryDirectory,
  type TestServer,
} from '../support/server.ts'
import { storeCommand } from '../support/store-command.ts'
import {
  makeDatastore,
  makeLearnedAgent,
  makeAgent,
  putDocument,
  query,
  upsert,
} from '../support/things.ts'
import { embedded, holders, unpack } from '../store/formats/old-store.ts'

const provider = await Provider.start()
const settings = { ...provider.settings, model: 'nomic-embed-text' }
const { client, url } = await startServer({ provider: settings })
const id = await makeDatastore(client)

beforeEach(() => {
  provider.calls.length = 0
  provider.behaviour = undefined
})

const text = 'The library opens at nine.'
const question = 'When does the library open?'

const embeddedTexts = (): string[] => provider.calls.flatMap(({ body }) => body.input)

describe('a document is embedded as one', () => {
  test('by upsert and by update', async () => {
    const [datasourceId = ''] = await upsert(client, id, { text, name: 'Hours' })
    const body = { id: datasourceId, text: 'It opens at ten.' }
    await sdk.updateDatasource({ client, path: { datastoreId: id }, body, throwOnError: true })
    expect(embeddedTexts()).toEqual([
      `search_document: Hours\n${text}`,
      'search_document: Hours\nIt opens at ten.',
    ])
  })

  test('when it is put, uploaded, and put again; a patch embeds nothing', async () => {
    const put = await putDocument(client, id, 'hours', { text })
    const body = { file: new Blob(['It closes at six.']), name: 'closing.txt' }
    await sdk.uploadFile({ client, path: { id }, body, throwOnError: true })
    await putDocument(client, id, 'hours', { text: 'It opens at eight.' })
    const path = { id, datasourceId: put.id }
    await sdk.patchDatasource({ client, path, body: { name: 'Opening' }, throwOnError: true })
    expect(embeddedTexts()).toEqual([
      `search_document: ${text}`,
      'search_document: closing.txt\nIt closes at six.',
      'search_document: It opens at eight.',
    ])
  })
})

describe('a question is embedded as one', () => {
  test('by query, in each mode that has vectors', async () => {
    for (const mode of ['hybrid', 'vector', 'keyword'] as const) {
      await query(client, id, { query: question, mode })
    }
    expect(embeddedTexts()).toEqual([`search_query: ${question}`, `search_query: ${question}`])
  })

  test('by an agent, once for all its datastores', async () => {
    const { agent, datastore } = await makeLearnedAgent(client, [text])
    const path = { id: agent }
    await sdk.putKnowledge({ client, path, body: { datastoreIds: [id, datastore] } })
    provider.calls.length = 0
    await sdk.queryAgent({ client, path, body: { query: question }, throwOnError: true })
    expect(new Set(embeddedTexts())).toEqual(new Set([`search_query: ${question}`]))
    expect(embeddedTexts()).toHaveLength(1)
  })

  test('by the tools of assistants', async () => {
    const { agent } = await makeLearnedAgent(client, [text])
    provider.calls.length = 0
    await askTool('search', { query: question })
    await askTool('ask', { agent, query: question })
    expect(new Set(embeddedTexts())).toEqual(new Set([`search_query: ${question}`]))
    expect(embeddedTexts().length).toBeGreaterThan(1)
  })
})

async function askTool(name: string, args: object): Promise<void> {
  const response = await callTool(url, name, args)
  const answer = await response.text()
  expect([response.status, answer]).toEqual([200, expect.stringContaining('nine')])
}

test('a document whose text is a question has the vector of a document', async () => {
  const own = await makeDatastore(client)
  await upsert(client, own, question)
  await query(client, own, { query: question })
  expect(embeddedTexts()).toEqual([`search_document: ${question}`, `search_query: ${question}`])
})

test('a batch counts what stands before its texts', async () => {
  const document = 'p'.repeat(60_000)
  const own = await startServer({ provider: { ...settings, prefixes: { document } } })
  const datastore = await makeDatastore(own.client)
  provider.calls.length = 0
  await upsert(own.client, datastore, 'One.', 'Two.')
  expect(provider.calls.map(({ body }) => body.input.length)).toEqual([1, 1])
})

test('a prefix that is set replaces that of its role alone, and an empty one is none', async () => {
  const own = await startServer({ provider: { ...settings, prefixes: { query: '' } } })
  const datastore = await makeDatastore(own.client)
  provider.calls.length = 0
  await upsert(own.client, datastore, text)
  await query(own.client, datastore, { query: question })
  expect(embeddedTexts()).toEqual([`search_document: ${text}`, question])
})

const expectAnother = async (_: string, prefixes: { query?: string; document?: string }) => {
  const directory = await temporaryDirectory()
  const before = await openServer({ dataUri: directory, provider: settings })
  const datastore = await makeDatastore(before.client)
  await upsert(before.client, datastore, text)
  await before.close()
  const after = await startServer({ dataUri: directory, provider: { ...settings, prefixes } })
  provider.calls.length = 0
  const path = { id: datastore }
  const asked = await sdk.queryDatastore({ client: after.client, path, body: { query: question } })
  const sent = await sdk.upsertDocuments({
    client: after.client,
    path: { datastoreId: datastore },
    body: { documents: [{ text }] },
  })
  for (const { response, error } of [asked, sent]) {
    expect([response?.status, error?.code]).toEqual([409, 'embedding_model_mismatch'])
    expect(error?.detail).toContain('EMBEDDING_QUERY_PREFIX "search_query: "')
    expect(error?.detail).toContain('EMBEDDING_DOCUMENT_PREFIX "search_document: "')
  }
  expect(provider.calls).toEqual([])
  const found = await query(after.client, datastore, { query: question, mode: 'keyword' })
  expect(found).toHaveLength(1)
}

const title = '409: other prefixes for %s are another embedder'
test.each([['queries', { query: 'q: ' }]])(title, expectAnother)
test.each([
  ['documents', { document: 'd: ' }],
  ['both', { query: '', document: '' }],
])(title, { tags: 'deep' }, expectAnother)

test(
  'an upgraded datastore stays without prefixes for both roles, and the start names it',
  { tags: 'deep' },
  async () => {
    const directory = await unpack()
    provider.behaviour = (call, response) => {
      const vectors = call.body.input.map(({ length }) => [1, length % 7, length % 5, 1])
      sendJson(response, 200, recorded(call, vectors))
    }
    const prefixes = { query: 'q: ', document: 'd: ' }
    const ofModel = { ...settings, model: 'stand-in-4', prefixes }
    const server = await openServer({ dataUri: directory, provider: ofModel })
    expect(provider.calls).toEqual([])
    const told = withoutPrefixes(server)
    expect(told).toMatchObject([{ level: 40, datastores: [embedded] }])
    expect(told[0]?.msg).toContain('"import" it under another name')

    const own = checkedClient(server.url, holders[0].key)
    await upsert(own, embedded, text)
    await query(own, embedded, { query: question })
    expect(embeddedTexts()).toEqual([text, question])

    const fresh = await makeDatastore(own)
    provider.calls.length = 0
    await upsert(own, fresh, text)
    expect(embeddedTexts()).toEqual([`d: ${text}`])
    await server.close()

    const again = await openServer({ dataUri: directory, provider: ofModel })
    expect(withoutPrefixes(again)).toHaveLength(1)
    await again.close()
  },
)

const withoutPrefixes = ({ logged }: Pick<TestServer, 'logged'>) =>
  logged.filter(({ msg }) => String(msg).includes('without the prefixes'))

test(
  'a datastore that is restored from its table has its prefixes again',
  { tags: 'deep' },
  async () => {
    const directory = await temporaryDirectory()
    const before = await openServer({ dataUri: directory, provider: settings })
    const datastore = await makeDatastore(before.client)
    await upsert(before.client, datastore, text)
    await before.close()
    await rm(join(directory, 'datastores.lance'), { recursive: true })
    await storeCommand(directory, 'restore-datastore', datastore)

    const after = await startServer({ dataUri: directory, provider: settings })
    provider.calls.length = 0
    await query(after.client, datastore, { query: question })
    expect(embeddedTexts()).toEqual([`search_query: ${question}`])
  },
)

test('a start says nothing where all datastores have the prefixes', { tags: 'deep' }, async () => {
  const directory = await temporaryDirectory()
  const first = await openServer({ dataUri: directory, provider: settings })
  await makeDatastore(first.client)
  await makeAgent(first.client)
  await first.close()
  const second = await openServer({ dataUri: directory, provider: settings })
  expect(second.logged.filter(({ level }) => Number(level) >= 40)).toEqual([])
  await second.close()
})
