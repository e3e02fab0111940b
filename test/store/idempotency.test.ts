import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import type { NewDocument } from '../../generated/types.gen.ts'
import {
  checkedClient,
  openServer,
  joinServer,
  startServer,
  temporaryDirectory,
  testKey,
} from '../support/server.ts'
import { holdNextCommit } from '../support/held-commit.ts'
import { spawnServer } from '../support/server-process.ts'
import { makeDatastore } from '../support/things.ts'

const rounds = 4

const { client } = await joinServer()

const upsert = (to: Client, datastoreId: string, key: string, documents: NewDocument[]) =>
  sdk.upsertDocuments({
    client: to,
    path: { datastoreId },
    headers: { 'Idempotency-Key': key },
    body: { documents },
  })

async function count(from: Client, id: string): Promise<number | undefined> {
  return (await sdk.getDatastore({ client: from, path: { id } })).data?.datasourceCount
}

test(
  'a key stores once, also sent eight times at once and after SIGKILL',
  { tags: 'deep' },
  async () => {
    const documents = (round: string): NewDocument[] => [
      { text: `First of ${round}.`, metadata: { round } },
      { text: `Second of ${round}. `.repeat(200), name: 'Two' },
    ]
    const directory = await temporaryDirectory()
    const server = await spawnServer({ DATA_URI: directory, INITIAL_KEY: testKey })
    onTestFinished(() => server.kill('SIGKILL'))
    const before = checkedClient(server.url)
    const [here, there] = await Promise.all([makeDatastore(before), makeDatastore(before)])
    const stored = new Map<string, string[]>()
    for (let round = 0; round < rounds; round++) {
      const key = `key-${round}`
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => upsert(before, here, key, documents(key))),
      )
      const ids = new Set(answers.map(({ data }) => JSON.stringify(data?.ids)))
      expect(ids.size).toBe(1)
      stored.set(key, answers[0]?.data?.ids ?? [])

      const other = await upsert(before, here, key, [{ text: 'Something else.' }])
      expect([other.response?.status, other.error?.code]).toEqual([422, 'idempotency_mismatch'])
      const elsewhere = await upsert(before, there, key, documents(key))
      expect(elsewhere.data?.ids).toHaveLength(2)
      expect(elsewhere.data?.ids).not.toEqual(stored.get(key))
    }
    expect(await count(before, here)).toBe(2 * stored.size)

    // The last one is killed while it is being stored; whether it was or not, repeating it is safe.
    const unanswered = upsert(before, here, 'cut', documents('cut')).catch(() => undefined)
    await server.kill('SIGKILL')
    await unanswered
    const { client: after, close } = await openServer({ dataUri: directory })
    stored.set('cut', (await upsert(after, here, 'cut', documents('cut'))).data?.ids ?? [])
    for (const [key, ids] of stored) {
      expect((await upsert(after, here, key, documents(key))).data?.ids).toEqual(ids)
    }
    expect(await count(after, here)).toBe(2 * stored.size)
    await close()
  },
)

test('of two bodies sent to two servers at once one is stored whole, and the other is 422', async () => {
  const dataUri = pathToFileURL(await temporaryDirectory()).href
  const [here, there] = [await startServer({ dataUri }), await startServer({ dataUri })]
  const id = await makeDatastore(here.client)
  await upsert(there.client, id, 'before', [{ text: 'Opens the table.' }])
  // Between its look for the key and its commit.
  const { begun, goOn } = holdNextCommit()
  const others = Array.from({ length: 3 }, () => ({ text: 'Another body. '.repeat(400) }))
  const late = upsert(there.client, id, 'k', others)
  await begun
  const documents = [{ text: 'One.' }, { text: 'Two.' }]
  const { data } = await upsert(here.client, id, 'k', documents)
  goOn()
  expect((await late).error).toMatchObject({ code: 'idempotency_mismatch' })
  expect((await upsert(there.client, id, 'k', documents)).data).toEqual(data)
  const { datasourceCount, fragmentCount } = (
    await sdk.getDatastore({ client: there.client, path: { id }, throwOnError: true })
  ).data
  expect([datasourceCount, fragmentCount]).toEqual([3, 3])
})

test('a key lasts as long as one of its documents, also when that is updated', async () => {
  const id = await makeDatastore(client)
  const documents = [{ text: 'One.' }, { text: 'Two.' }]
  const remove = (datasourceId = '') => sdk.deleteDatasource({ client, path: { id, datasourceId } })
  const { data: first } = await upsert(client, id, 'k', documents)
  await remove(first?.ids[0])
  const body = { id: first?.ids[1] ?? '', text: 'Two, updated.' }
  await sdk.updateDatasource({ client, path: { datastoreId: id }, body })
  expect((await upsert(client, id, 'k', documents)).data).toEqual(first)
  expect((await upsert(client, id, 'k', [{ text: 'One.' }])).response?.status).toBe(422)
  expect(await count(client, id)).toBe(1)

  await remove(first?.ids[1])
  expect((await upsert(client, id, 'k', documents)).data).toEqual(first)
  expect(await count(client, id)).toBe(2)
  await Promise.all(first?.ids.map(remove) ?? [])
  expect((await upsert(client, id, 'k', [{ text: 'New.' }])).response?.status).toBe(200)
})

test('other documents are told apart by text, name, metadata and number, not by an absent name', async () => {
  const id = await makeDatastore(client)
  const document = { text: 'Text.' }
  await upsert(client, id, 'k', [document])
  const status = async (...documents: NewDocument[]) =>
    (await upsert(client, id, 'k', documents)).response?.status
  expect(await status({ ...document, name: '', metadata: null })).toBe(200)
  expect(await status({ ...document, name: 'x' })).toBe(422)
  expect(await status({ ...document, metadata: {} })).toBe(422)
  expect(await status(document, document)).toBe(422)
  expect(await status({ text: 'Text. ' })).toBe(422)
  expect(await count(client, id)).toBe(1)
})

test.each<[string, unknown, unknown]>([
  ['members of metadata', { a: 1, b: 2 }, { b: 2, a: 1 }],
  [
    'members deeper in it',
    { a: [{ x: 1, y: { p: 1, q: 2 } }] },
    { a: [{ y: { q: 2, p: 1 }, x: 1 }] },
  ],
  ['members that look like numbers', { 10: 'a', 9: 'b', x: 1 }, { x: 1, 9: 'b', 10: 'a' }],
  ['numbers written otherwise', { n: [1.0, 1e3] }, { n: [1, 1000] }],
])('%s in another order are the same documents', async (_, first, second) => {
  const id = await makeDatastore(client)
  const send = (metadata: unknown) =>
    upsert(client, id, 'k', [{ text: 'Text.', metadata: metadata as Record<string, unknown> }])
  const { data } = await send(first)
  expect((await send(second)).data).toEqual(data)
  expect(await count(client, id)).toBe(1)
})

test('the order of a list is a difference, and so is an empty list of documents', async () => {
  const id = await makeDatastore(client)
  const status = async (documents: NewDocument[]) =>
    (await upsert(client, id, 'k', documents)).response?.status
  expect(await status([{ text: 'Text.', metadata: { a: [1, 2] } }])).toBe(200)
  expect(await status([{ text: 'Text.', metadata: { a: [2, 1] } }])).toBe(422)
  expect(await status([])).toBe(422)
  expect(await count(client, id)).toBe(1)
})

test('an empty list under a key stores nothing, and leaves the key free', async () => {
  const id = await makeDatastore(client)
  expect((await upsert(client, id, 'k', [])).data).toEqual({ ids: [] })
  expect((await upsert(client, id, 'k', [{ text: 'Text.' }])).data?.ids).toHaveLength(1)
})
