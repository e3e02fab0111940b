import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { startServer } from '../support/server.ts'
import { makeDatastore, upsert } from '../support/things.ts'

const { client, logged } = await startServer()

test('200: the datastore as it was; then everything of it is 404', async () => {
  const id = await makeDatastore(client)
  const [datasourceId = ''] = await upsert(client, id, 'Text.')
  const { data } = await sdk.deleteDatastore({ client, path: { id } })
  expect(data).toMatchObject({ id, datasourceCount: 1, fragmentCount: 1 })
  const later = await Promise.all([
    sdk.getDatastore({ client, path: { id } }),
    sdk.deleteDatastore({ client, path: { id } }),
    sdk.queryDatastore({ client, path: { id }, body: { query: 'text' } }),
    sdk.upsertDocuments({ client, path: { datastoreId: id }, body: { documents: [] } }),
    sdk.updateDatasource({
      client,
      path: { datastoreId: id },
      body: { id: datasourceId, text: 'x' },
    }),
    sdk.listDatasources({ client, path: { id } }),
    sdk.getDatasource({ client, path: { id, datasourceId } }),
    sdk.deleteDatasource({ client, path: { id, datasourceId } }),
  ])
  expect(later.map(({ response }) => response?.status)).toEqual(Array(8).fill(404))
})

test('under load every request is answered 200 or 404, and nothing comes back', async () => {
  const id = await makeDatastore(client)
  const [datasourceId = ''] = await upsert(client, id, 'Text.')
  const documents = [{ text: 'More text.' }]
  const use = () => [
    sdk.upsertDocuments({ client, path: { datastoreId: id }, body: { documents } }),
    sdk.queryDatastore({ client, path: { id }, body: { query: 'text' } }),
    sdk.updateDatasource({
      client,
      path: { datastoreId: id },
      body: { id: datasourceId, text: 'x' },
    }),
    sdk.getDatastore({ client, path: { id } }),
    sdk.listDatastores({ client }),
  ]
  const load = Array.from({ length: 6 }, use).flat()
  const deletions = Array.from({ length: 4 }, () => sdk.deleteDatastore({ client, path: { id } }))
  const deleted = (await Promise.all(deletions)).map(({ response }) => response?.status)
  expect(deleted.toSorted()).toEqual([200, 404, 404, 404])
  for (const { response } of await Promise.all([...load, ...use()])) {
    expect([200, 404]).toContain(response?.status)
  }
  expect((await sdk.getDatastore({ client, path: { id } })).response?.status).toBe(404)
  expect(logged.filter(({ err }) => err)).toEqual([])
})
