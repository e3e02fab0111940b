import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { MetadataFilter } from '../../generated/types.gen.ts'
import { placesOf, send } from '../support/raw.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const { client, url } = await joinServer()

const remove = (id: string, filter: MetadataFilter) =>
  sdk.deleteDatasources({ client, path: { id }, query: { filter: JSON.stringify(filter) } })

const namesIn = async (id: string) => {
  const { data } = await sdk.listDatasources({ client, path: { id }, query: { limit: 100 } })
  return data?.data.map(({ name }) => name)
}

async function makeLibrary(): Promise<string> {
  const id = await makeDatastore(client)
  const documents = Array.from({ length: 9 }, (_, n) => ({
    text: 'Some sentence. '.repeat(1 + 300 * (n % 2)),
    name: String(n),
    metadata: { n, url: `https://x/${n % 3}` },
  }))
  await upsert(client, id, ...documents, { text: 'No metadata.', name: 'none' })
  return id
}

test('200: those that match are gone with all their fragments, and counted; the others stay', async () => {
  const id = await makeLibrary()
  const { data } = await remove(id, { type: 'lt', key: 'n', value: 5 })
  expect(data).toEqual({ deleted: 5 })
  expect(await namesIn(id)).toEqual(['5', '6', '7', '8', 'none'])
  const found = await query(client, id, { query: 'sentence', topK: 100 })
  const left = new Set(found.map(({ datasource_name }) => datasource_name))
  expect([...left].filter((name) => Number(name) < 5)).toEqual([])
  expect((await remove(id, { type: 'lt', key: 'n', value: 5 })).data).toEqual({ deleted: 0 })
  expect((await remove(id, { type: 'eq', key: 'url', value: 'https://x/2' })).data?.deleted).toBe(2)
  expect((await remove(id, { type: 'ne', key: 'n', value: 6 })).data?.deleted).toBe(2)
  expect(await namesIn(id)).toEqual(['6'])
})

test('of deletes at once each datasource is counted by one', async () => {
  const id = await makeLibrary()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => remove(id, { type: 'gte', key: 'n', value: n % 4 })),
  )
  expect(answers.reduce((sum, { data }) => sum + (data?.deleted ?? 0), 0)).toBe(9)
  expect(await namesIn(id)).toEqual(['none'])
})

test('what is updated meanwhile and matches is deleted, too', async () => {
  const id = await makeDatastore(client)
  const documents = Array.from({ length: 20 }, (_, n) => ({ text: `Note ${n}.`, metadata: { n } }))
  const filler = Array.from({ length: 200 }, () => 'Filler.')
  for (let round = 0; round < 5; round++) {
    const ids = await upsert(client, id, ...documents)
    const updates = ids.map((one) =>
      sdk.updateDatasource({ client, path: { datastoreId: id }, body: { id: one, text: 'New.' } }),
    )
    // Writes that come while another is stored share a commit.
    const others = [upsert(client, id, ...filler), upsert(client, id, ...filler)]
    await Promise.race(updates)
    await remove(id, { type: 'exists', key: 'n', value: true })
    await Promise.all([...updates, ...others])
    const filter = JSON.stringify({ type: 'exists', key: 'n', value: true })
    const { data } = await sdk.listDatasources({ client, path: { id }, query: { filter } })
    expect(data?.data).toEqual([])
  }
})

test('400: without a filter, or with one that is not understood; nothing is deleted', async () => {
  const id = await makeLibrary()
  const refused = async (search: string) => {
    const response = await send(url, 'DELETE', `/datastores/${id}/datasources${search}`)
    return [response.status, [...new Set(await placesOf(response))].toSorted()]
  }
  const encoded = (filter: unknown) => `?filter=${encodeURIComponent(JSON.stringify(filter))}`
  const at = '/query/filter'
  expect(await refused('')).toEqual([400, [at]])
  expect(await refused('?filter=')).toEqual([400, [at]])
  expect(await refused('?filter={')).toEqual([400, [at]])
  expect(await refused('?filter="eq"')).toEqual([400, [at]])
  expect(await refused(encoded({ type: 'like', key: 'n', value: 1 }))).toEqual([
    400,
    [`${at}/type`],
  ])
  expect(await refused(encoded({ type: 'gt', key: 'n', value: 'x' }))).toEqual([
    400,
    [`${at}/value`],
  ])
  const twice = encoded({ type: 'eq', key: 'n', value: 1 })
  expect(await refused(`${twice}&${twice.slice(1)}`)).toEqual([400, [at]])
  const eq = { type: 'eq', key: 'n', value: 1 }
  expect(
    await refused(encoded({ type: 'or', filters: Array.from({ length: 65 }, () => eq) })),
  ).toEqual([400, [at, `${at}/filters`]])
  expect(await refused(encoded({ type: 'eq', key: 'n', value: 'x'.repeat(4_200) }))).toEqual([
    400,
    [at],
  ])
  for (const value of ['9007199254740993', '1e999', '1e-999', '"\\ud800"']) {
    const text = encodeURIComponent(`{"type":"eq","key":"n","value":${value}}`)
    expect(await refused(`?filter=${text}`), value).toEqual([400, [`${at}/value`]])
  }
  expect(await namesIn(id)).toHaveLength(10)
})

test('404: an unknown datastore', async () => {
  const { response } = await remove('dst_unknown', { type: 'exists', key: 'n', value: true })
  expect(response?.status).toBe(404)
})

test('200: once many are gone, the others soon score as if they had always been alone', async () => {
  const [id, alone] = [await makeDatastore(client), await makeDatastore(client)]
  const kept = ['A reminder costs 1 EUR.', 'A card costs 5 EUR a year.', 'The desk closes at six.']
  await upsert(client, alone, ...kept)
  await upsert(client, id, ...kept)
  const others = Array.from({ length: 300 }, (_, n) => ({
    text: `Report ${n} says that the weather of week ${n} was much like that of other weeks.`,
    metadata: { kind: 'report' },
  }))
  await upsert(client, id, ...others)
  await remove(id, { type: 'eq', key: 'kind', value: 'report' })
  const scoreIn = async (datastore: string) =>
    (await query(client, datastore, { query: 'how much is a reminder', mode: 'keyword' }))[0]?.score
  const expected = (await scoreIn(alone))!
  await expect.poll(() => scoreIn(id)).toBeCloseTo(expected, 5)
})
