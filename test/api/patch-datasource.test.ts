import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { PatchDatasource } from '../../generated/types.gen.ts'
import { Provider } from '../support/provider.ts'
import { joinServer, startServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const provider = await Provider.start()
const { client } = await joinServer()
const remote = (await startServer({ provider: provider.settings })).client
const text = `# Hours\n\n${'The library opens at nine in the morning. '.repeat(120)}`
const metadata = { lang: 'de', url: 'https://old', custom_id: 'ann', deep: { a: 1, b: [1, 2] } }

async function make(by = client) {
  const id = await makeDatastore(by)
  const [datasourceId = ''] = await upsert(by, id, { text, name: 'Old', metadata })
  const path = { id, datasourceId }
  const patch = (body: PatchDatasource) => sdk.patchDatasource({ client: by, path, body })
  const get = async () => (await sdk.getDatasource({ client: by, path, throwOnError: true })).data
  const countBy = async (filters: object) =>
    (await query(by, id, { query: 'library', topK: 100, filters })).length
  return { id, patch, get, countBy, datasourceId }
}

test('200: metadata is merged, all fragments are found by it, and all else stays', async () => {
  const { patch, get, countBy } = await make()
  const before = await get()
  const { data } = await patch({
    metadata: {
      lang: 'fr',
      url: null,
      custom_id: 'bob',
      deep: { a: null, c: 2, b: [3] },
      x: { y: null, z: 1 },
    },
  })
  const merged = { lang: 'fr', custom_id: 'bob', deep: { b: [3], c: 2 }, x: { z: 1 } }
  expect(data).toMatchObject({ name: 'Old', source: '', createdAt: before.createdAt })
  expect(data?.metadata).toEqual(merged)
  expect(Date.parse(data?.updatedAt ?? '')).toBeGreaterThan(Date.parse(before.updatedAt))
  expect(await get()).toEqual({ ...data, text })
  const count = before.fragmentCount
  expect(count).toBeGreaterThan(1)
  const eq = (value: string) => ({ metadata: { type: 'eq', key: 'lang', value } })
  expect([await countBy(eq('fr')), await countBy(eq('de'))]).toEqual([count, 0])
  expect([await countBy({ custom_ids: ['bob'] }), await countBy({ custom_ids: ['ann'] })]).toEqual([
    count,
    0,
  ])
})

test('400: an id in the body is told once, as a member that is not known', async () => {
  const { id, datasourceId } = await make()
  const body = { id: 'x' } as PatchDatasource
  const { response, error } = await sdk.patchDatasource({
    client,
    path: { id, datasourceId },
    body,
  })
  expect(response?.status).toBe(400)
  expect(error?.errors).toEqual([
    { pointer: '/id', detail: expect.stringMatching(/^is not known here/) },
  ])
})

test('200: null clears the metadata, and a name alone changes nothing else', async () => {
  const { patch, get, id } = await make()
  expect((await patch({ name: 'Opening hours of Quimper' })).data?.metadata).toEqual(metadata)
  const found = await query(client, id, { query: 'Quimper', mode: 'keyword' })
  expect(found[0]?.datasource_name).toBe('Opening hours of Quimper')
  expect((await patch({ metadata: null })).data?.metadata).toBeNull()
  expect((await patch({ metadata: { __proto__: null, a: 1 } })).data?.metadata).toEqual({ a: 1 })
  expect((await patch({})).data).toMatchObject({ name: 'Opening hours of Quimper' })
  expect((await get()).text).toBe(text)
})

test('200: no provider is called', async () => {
  const { patch, get, countBy } = await make(remote)
  provider.calls.length = 0
  const before = await get()
  await patch({ name: 'New', metadata: { lang: 'fr' } })
  expect(provider.calls).toEqual([])
  expect(await get()).toMatchObject({ name: 'New', text, fragmentCount: before.fragmentCount })
  expect(await countBy({ custom_ids: ['ann'] })).toBe(before.fragmentCount)
})

test('200: of patches and updates at once none undoes another', { tags: 'deep' }, async () => {
  const { id, patch, get, datasourceId } = await make()
  const body = { id: datasourceId, text: 'A new text.' }
  await Promise.all([
    ...Array.from({ length: 12 }, (_, n) => patch({ metadata: { [`n${n}`]: n } })),
    sdk.updateDatasource({ client, path: { datastoreId: id }, body }),
    patch({ name: 'New' }),
  ])
  const names = Array.from({ length: 12 }, (_, n) => [`n${n}`, n])
  const merged = { ...metadata, ...Object.fromEntries(names) }
  expect(await get()).toMatchObject({ name: 'New', text: 'A new text.', metadata: merged })
})

test('400: metadata that would become too large; 404: no such datasource', async () => {
  const { id, patch, get } = await make()
  await patch({ metadata: { a: 'x'.repeat(16_000) } })
  const { response, error } = await patch({ metadata: { b: 'x'.repeat(1_000) } })
  expect([response?.status, error?.errors?.[0]?.pointer]).toEqual([400, '/metadata'])
  expect((await get()).metadata).not.toHaveProperty('b')
  const path = { id, datasourceId: 'src_unknown' }
  const unknown = await sdk.patchDatasource({ client, path, body: { name: 'x' } })
  expect(unknown.response?.status).toBe(404)
})
