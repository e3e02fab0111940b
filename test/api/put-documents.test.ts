import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { KeyedDocument } from '../../generated/types.gen.ts'
import { Provider, recordedError, sendJson } from '../support/provider.ts'
import { placesOf, send } from '../support/raw.ts'
import { joinServer, startServer } from '../support/server.ts'
import { makeDatastore, putDocument, query } from '../support/things.ts'

const { client, url } = await joinServer()

const putAll = (id: string, documents: KeyedDocument[], by = client) =>
  sdk.putDocuments({ client: by, path: { id }, body: { documents } })

async function get(id: string, key: string, by = client) {
  const path = { id, key }
  return (await sdk.getDocument({ client: by, path, throwOnError: true })).data
}

async function countIn(id: string): Promise<number | undefined> {
  return (await sdk.getDatastore({ client, path: { id } })).data?.datasourceCount
}

test('200: each is created or replaced, and told of in the order sent', async () => {
  const id = await makeDatastore(client)
  const before = await putDocument(client, id, 'b', { text: 'Old.', name: 'B', metadata: { a: 1 } })
  const metadata = { source_url: 'https://x', custom_id: 'ann' }
  const { data } = await putAll(id, [
    { key: 'c', text: 'Text of c.', name: 'C', metadata },
    { key: 'b', text: 'New text of b.' },
    { key: 'a/ü', text: 'Text of a. '.repeat(900) },
  ])
  const [c, b, a] = await Promise.all(['c', 'b', 'a/ü'].map((key) => get(id, key)))
  expect(data?.documents).toEqual([
    { key: 'c', id: c?.id, outcome: 'created' },
    { key: 'b', id: before.id, outcome: 'replaced' },
    { key: 'a/ü', id: a?.id, outcome: 'created' },
  ])
  expect(c).toMatchObject({ text: 'Text of c.', name: 'C', metadata, source: 'https://x' })
  expect(b).toMatchObject({ text: 'New text of b.', name: '', metadata: null })
  expect(b?.createdAt).toBe(before.createdAt)
  expect(a?.text).toBe('Text of a. '.repeat(900))
  expect(await countIn(id)).toBe(3)
  const found = await query(client, id, { query: 'old new text', mode: 'vector', topK: 100 })
  expect(found.filter(({ text }) => text.includes('Old'))).toEqual([])
})

test('200: sent again it stores nothing twice, and a put of one key finds the same document', async () => {
  const id = await makeDatastore(client)
  const documents = Array.from({ length: 500 }, (_, n) => ({ key: `${n}`, text: `Page ${n}.` }))
  const first = (await putAll(id, documents)).data?.documents ?? []
  const second = (await putAll(id, documents)).data?.documents ?? []
  expect(new Set(first.map(({ outcome }) => outcome))).toEqual(new Set(['created']))
  expect(second).toEqual(first.map((one) => ({ ...one, outcome: 'replaced' })))
  expect(await countIn(id)).toBe(500)
  expect((await putDocument(client, id, '7', { text: 'Seven.' })).id).toBe(first[7]?.id)
})

test('200: of many requests for the same keys at once each is whole', async () => {
  const id = await makeDatastore(client)
  const keys = ['a', 'b', 'c']
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      // Each in another order, which must not make two wait for each other.
      putAll(
        id,
        keys.map((_key, at) => ({
          key: keys[(at + n) % 3]!,
          text: `Writer ${n}. `.repeat(1 + 300 * n),
        })),
      ),
    ),
  )
  const outcomes = answers.flatMap(({ data }) => data?.documents ?? [])
  expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(3)
  const texts = await Promise.all(keys.map(async (key) => (await get(id, key)).text))
  expect(new Set(texts).size).toBe(1)
  expect(await countIn(id)).toBe(3)
})

test('200: text that has not changed is not embedded again, and new ones are in one go', async () => {
  const provider = await Provider.start()
  const own = (await startServer({ provider: provider.settings })).client
  const id = await makeDatastore(own)
  const documents = Array.from({ length: 20 }, (_, n) => ({ key: `${n}`, text: `Page ${n}.` }))
  await putAll(id, documents, own)
  provider.calls.length = 0
  await putAll(id, documents, own)
  expect(provider.calls).toEqual([])
  // Words of another document under the same text are not its own.
  await putAll(
    id,
    [{ key: '0', text: 'Page 1.' }, ...documents.slice(1, 4), { key: 'x', text: 'X.' }],
    own,
  )
  expect(provider.calls.map(({ body: { input } }) => input)).toEqual([['Page 1.', 'X.']])
})

test('400: a key that stands twice is named, and nothing is stored', async () => {
  const id = await makeDatastore(client)
  const keys = ['a', 'b', 'a', 'a']
  const answer = await putAll(
    id,
    keys.map((key) => ({ key, text: 'Text.' })),
  )
  const detail = 'must be unlike that of item 0'
  expect(answer.response?.status).toBe(400)
  expect(answer.error?.errors).toEqual([
    { pointer: '/documents/2/key', detail },
    { pointer: '/documents/3/key', detail },
  ])
  expect(await countIn(id)).toBe(0)
})

test('400: one bad document of many and none is stored', async () => {
  const id = await makeDatastore(client)
  const places = async (documents: unknown) => {
    const body = JSON.stringify({ documents })
    return placesOf(await send(url, 'PUT', `/datastores/${id}/documents`, { body }))
  }
  expect(await places([])).toEqual(['/documents'])
  const good = { key: 'a', text: 'Text.' }
  expect(await places([good, { key: '', text: ' ' }])).toEqual([
    '/documents/1/key',
    '/documents/1/text',
  ])
  expect(await places([good, { text: 'No key.' }])).toEqual(['/documents/1/key'])
  expect(await places([good, { key: 'b', text: '\ud800' }])).toEqual(['/documents/1/text'])
  expect(await countIn(id)).toBe(0)
})

test('502: where a provider fails, nothing is stored', async () => {
  const provider = await Provider.start()
  const own = (await startServer({ provider: provider.settings })).client
  const id = await makeDatastore(own)
  await putDocument(own, id, 'a', { text: 'Old.' })
  provider.behaviour = (_, response) => sendJson(response, 400, recordedError('x', null, 'No.'))
  const { response } = await putAll(
    id,
    [
      { key: 'a', text: 'New.' },
      { key: 'b', text: 'Other.' },
    ],
    own,
  )
  expect(response?.status).toBe(502)
  expect((await get(id, 'a', own)).text).toBe('Old.')
  const absent = await sdk.getDocument({ client: own, path: { id, key: 'b' } })
  expect(absent.response?.status).toBe(404)
})

test('404: an unknown datastore, which is not made', async () => {
  const { error } = await putAll('dst_unknown', [{ key: 'a', text: 'Text.' }])
  expect(error).toMatchObject({ code: 'not_found' })
})
