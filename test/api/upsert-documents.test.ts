import { describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { placesOf, send } from '../support/raw.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const { client, url } = await joinServer()

test('200: ids come in the order sent, and the next query sees every document', async () => {
  const datastoreId = await makeDatastore(client)
  const texts = Array.from(
    { length: 30 },
    (_, index) => `Shelf ${index} holds books on topic${index}.`,
  )
  const ids = await upsert(client, datastoreId, ...texts)
  expect(new Set(ids).size).toBe(30)
  for (const index of [0, 7, 29]) {
    const [best] = await query(client, datastoreId, { query: `books on topic${index}`, topK: 1 })
    expect(best).toMatchObject({ text: texts[index], datasource_id: ids[index] })
  }
})

test('200: always creates, also for the same document again', async () => {
  const datastoreId = await makeDatastore(client)
  const [first] = await upsert(client, datastoreId, 'The same text.')
  const [second] = await upsert(client, datastoreId, 'The same text.')
  expect(first).not.toBe(second)
  expect(await query(client, datastoreId, { query: 'same text' })).toHaveLength(2)
})

test('200: an empty list creates nothing', async () => {
  const datastoreId = await makeDatastore(client)
  expect(await upsert(client, datastoreId)).toEqual([])
  expect(await query(client, datastoreId, { query: 'anything' })).toEqual([])
})

test('200: source and name come back with the fragments', async () => {
  const datastoreId = await makeDatastore(client)
  const sources = [
    [{ source_url: 'https://a', source: 'b', url: 'c' }, 'https://a'],
    [{ source_url: '', source: 'b', url: 'c' }, 'b'],
    [{ source_url: 7, url: 'c' }, 'c'],
    [{ other: 'x' }, ''],
    [null, ''],
  ] as const
  const ids = await upsert(
    client,
    datastoreId,
    ...sources.map(([metadata], index) => ({
      text: `Text ${index}`,
      name: `Name ${index}`,
      metadata,
    })),
  )
  const found = await query(client, datastoreId, { query: 'text', topK: 10 })
  for (const [index, [, source]] of sources.entries()) {
    const fragment = found.find(({ datasource_id }) => datasource_id === ids[index])
    expect(fragment).toMatchObject({ source, datasource_name: `Name ${index}` })
  }
})

test('400: one bad document of many and none is stored; every violation is named', async () => {
  const datastoreId = await makeDatastore(client)
  const { error, response } = await sdk.upsertDocuments({
    client,
    path: { datastoreId },
    body: { documents: [{ text: 'Good.' }, { text: '' }, { text: ' \n', name: 'n'.repeat(257) }] },
  })
  expect(response?.status).toBe(400)
  expect(error?.errors?.map(({ pointer }) => pointer)).toEqual(
    expect.arrayContaining(['/documents/1/text', '/documents/2/text', '/documents/2/name']),
  )
  expect(await query(client, datastoreId, { query: 'good' })).toEqual([])
})

test('400: what could not come back as it was sent is refused by its place', async () => {
  const datastoreId = await makeDatastore(client)
  const deep = JSON.parse(`${'{"a":'.repeat(16)}1${'}'.repeat(16)}`)
  const deeper = { a: deep }
  const big = { a: 'x'.repeat(16 * 1024) }
  const places = async (document: string) => {
    const body = `{"documents":[${document}]}`
    const response = await send(url, 'POST', `/api/datastores/upsert/${datastoreId}`, { body })
    return [response.status, ...(await placesOf(response))]
  }
  expect(await places(`{"text":"x","metadata":${JSON.stringify(deep)}}`)).toEqual([200])
  expect(await places(`{"text":"x","metadata":${JSON.stringify(deeper)}}`)).toEqual([
    400,
    '/documents/0/metadata',
  ])
  expect(await places(`{"text":"x","metadata":${JSON.stringify(big)}}`)).toEqual([
    400,
    '/documents/0/metadata',
  ])
  expect(
    await places(`{"text":"x","metadata":${'['.repeat(30_000)}${']'.repeat(30_000)}}`),
  ).toEqual([400, '/documents/0/metadata'])
  expect(
    await places(`{"text":"x","metadata":${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}}`),
  ).toEqual([400, '/documents/0/metadata'])
  expect(await places(String.raw`{"text":"half \ud83d"}`)).toEqual([400, '/documents/0/text'])
  expect(await places(String.raw`{"text":"x","metadata":{"a/b":["\udc00"]}}`)).toEqual([
    400,
    '/documents/0/metadata/a~1b/0',
  ])
  expect(await places('{"text":"x","metadata":{"a":1e999}}')).toEqual([
    400,
    '/documents/0/metadata/a',
  ])
})

test('400: a body of a million faults is refused at the first place that holds too many', async () => {
  const datastoreId = await makeDatastore(client)
  const path = `/api/datastores/upsert/${datastoreId}`
  const body = `{"documents":[${'{},'.repeat(1_000_000)}{}]}`
  const response = await send(url, 'POST', path, { body })
  expect([response.status, await placesOf(response)]).toEqual([400, ['/documents']])
  const nested = `${'['.repeat(1_000_000)}"\\ud800"${']'.repeat(1_000_000)}`
  const deep = `{"documents":[{"text":"x","metadata":{"a":${nested}}}]}`
  expect((await send(url, 'POST', path, { body: deep })).status).toBe(400)
})

test('404: an unknown datastore, and nothing comes to be', async () => {
  const { response } = await sdk.upsertDocuments({
    client,
    path: { datastoreId: 'dst_unknown' },
    body: { documents: [{ text: 'Lost?' }] },
  })
  expect(response?.status).toBe(404)
  const { response: got } = await sdk.getDatastore({ client, path: { id: 'dst_unknown' } })
  expect(got?.status).toBe(404)
})

test(
  '200: a thousand custom ids in the metadata of a text at its longest',
  { tags: 'deep' },
  async () => {
    const datastoreId = await makeDatastore(client)
    const custom_id = Array.from({ length: 1_000 }, (_, n) => n.toString(36))
    const document = { text: 'a '.repeat(500_000), metadata: { custom_id } }
    expect(await upsert(client, datastoreId, document)).toHaveLength(1)
    const filters = { custom_ids: ['rr'] }
    expect(await query(client, datastoreId, { query: 'a', filters })).toHaveLength(5)
  },
)

const numbers = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [n, n / 7]))

test(
  '200: a hundred numbers in the metadata of a text at its longest',
  { tags: 'deep' },
  async () => {
    const datastoreId = await makeDatastore(client)
    const document = { text: 'A sentence. '.repeat(87_000), metadata: numbers(100) }
    expect(await upsert(client, datastoreId, document)).toHaveLength(1)
    const filters = { metadata: { type: 'eq', key: '7', value: 1 } } as const
    expect(await query(client, datastoreId, { query: 'sentence', filters })).toHaveLength(5)
  },
)

describe('413, and nothing is stored:', () => {
  const list = { ['k'.repeat(70)]: Array.from({ length: 4_000 }, (_, n) => (1 + (n % 9)) / 10) }
  const many = <T>(length: number, document: T): T[] => Array.from({ length }, () => document)
  const long = 'A sentence of a long text. '.repeat(37_000)

  test.each([
    [
      'metadata of many numbers for a text at its longest',
      [{ text: long, metadata: numbers(600) }],
    ],
    [
      'many numbers in the metadata of many documents',
      many(300, { text: 'x', metadata: numbers(600) }),
    ],
    ['thousands of numbers in lists of many documents', many(100, { text: 'x', metadata: list })],
  ])('%s', async (_, documents) => {
    const path = { datastoreId: await makeDatastore(client) }
    const { error, response } = await sdk.upsertDocuments({ client, path, body: { documents } })
    expect([response?.status, error?.code]).toEqual([413, 'payload_too_large'])
    expect(error?.detail).toContain('metadata has too many values')
    const { data } = await sdk.getDatastore({ client, path: { id: path.datastoreId } })
    expect(data?.datasourceCount).toBe(0)
  })
})

test('200: thousands of numbers in the metadata of one document', async () => {
  const metadata = { many: Array.from({ length: 4_000 }, (_, n) => (n % 9) / 10) }
  const datastoreId = await makeDatastore(client)
  expect(await upsert(client, datastoreId, { text: 'x', metadata })).toHaveLength(1)
})

test('413: a body over 16 MiB, and the server goes on', async () => {
  const datastoreId = await makeDatastore(client)
  const path = `/api/datastores/upsert/${datastoreId}`
  const body = JSON.stringify({ documents: [], padding: 'x'.repeat(16 * 1024 * 1024) })
  expect((await send(url, 'POST', path, { body })).status).toBe(413)
  expect(await upsert(client, datastoreId, 'Still here.')).toHaveLength(1)
})
