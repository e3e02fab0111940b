import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { OpenTable } from '../../src/store/table/open-table.ts'
import { Upkeep } from '../../src/store/table/upkeep.ts'
import { startServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, upsert } from '../support/things.ts'

const { client, logged } = await startServer()
const dataUri = pathToFileURL(await temporaryDirectory()).href
const { client: here } = await startServer({ dataUri })
const { client: there, logged: loggedThere } = await startServer({ dataUri })

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

test('404: whatever is written to it on another server', async () => {
  const id = await makeDatastore(here)
  const [datasourceId = ''] = await upsert(there, id, 'Text.')
  await sdk.deleteDatastore({ client: here, path: { id }, throwOnError: true })
  const [of, at] = [{ datastoreId: id }, { id, datasourceId }]
  const [body, filter] = [{ text: 'x' }, '{"type":"eq","key":"a","value":1}']
  const documents = { documents: [body] }
  const once = { 'Idempotency-Key': 'k' }
  const writes = await Promise.all([
    sdk.upsertDocuments({ client: there, path: of, body: documents }),
    sdk.upsertDocuments({ client: there, path: of, body: documents, headers: once }),
    sdk.updateDatasource({ client: there, path: of, body: { id: datasourceId, ...body } }),
    sdk.patchDatasource({ client: there, path: at, body: { name: 'x' } }),
    sdk.deleteDatasource({ client: there, path: at }),
    sdk.deleteDatasources({ client: there, path: { id }, query: { filter } }),
    sdk.putDocument({ client: there, path: { id, key: 'k' }, body }),
    sdk.deleteDocument({ client: there, path: { id, key: 'k' } }),
  ])
  expect(writes.map(({ response }) => response?.status)).toEqual(Array(8).fill(404))
  expect(loggedThere.filter(({ err }) => err)).toEqual([])
})

test('another server that writes to it gives up maintaining it, and warns of nothing', async () => {
  const id = await makeDatastore(here)
  await upsert(there, id, 'Text.')
  await sdk.deleteDatastore({ client: here, path: { id }, throwOnError: true })
  const finish = vi.spyOn(Upkeep.prototype, 'finish')
  onTestFinished(() => finish.mockRestore())
  // So many are to be indexed.
  const documents = Array.from({ length: 300 }, () => ({ text: 'x' }))
  await sdk.upsertDocuments({ client: there, path: { datastoreId: id }, body: { documents } })
  await expect.poll(() => finish).toHaveBeenCalled()
  expect(loggedThere.filter(({ err }) => err)).toEqual([])
})

test('another server lets go of it once it opens the next one', async () => {
  const close = vi.spyOn(OpenTable.prototype, 'close')
  onTestFinished(() => close.mockRestore())
  const [id, next] = [await makeDatastore(here), await makeDatastore(here)]
  const names = () => (close.mock.contexts as OpenTable[]).map(({ name }) => name)
  const closed = () => names().filter((name) => name === `fragments_${id}`)
  await upsert(there, id, 'Text.')
  await sdk.deleteDatastore({ client: here, path: { id }, throwOnError: true })
  await upsert(there, next, 'Text.')
  await expect.poll(closed).toHaveLength(2)
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
