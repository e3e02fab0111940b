import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { placesOf, send } from '../support/raw.ts'
import { joinServer, startServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, makeLearnedAgent, query, upsert } from '../support/things.ts'

const { client, url } = await joinServer()

const rename = (id: string, name: string, by = client) =>
  sdk.updateDatastore({ client: by, path: { id }, body: { name } })
const get = async (id: string, by = client) =>
  (await sdk.getDatastore({ client: by, path: { id } })).data

test('200: the name changes, and nothing else', async () => {
  const id = await makeDatastore(client)
  await upsert(client, id, 'The library opens at nine.')
  const before = await get(id)
  const { data } = await rename(id, 'archive')
  expect(data).toEqual({ ...before, name: 'archive' })
  expect(await get(id)).toEqual(data)
  expect(await query(client, id, { query: 'library' })).toHaveLength(1)
})

test('200: the description changes, and nothing else', async () => {
  const body = { name: 'library', description: 'Hours.' }
  const { data: before } = await sdk.createDatastore({ client, body, throwOnError: true })
  expect(before).toMatchObject(body)
  const path = { id: before.id }
  const { data } = await sdk.updateDatastore({ client, path, body: { description: 'Rules.' } })
  expect(data).toEqual({ ...before, description: 'Rules.' })
  expect(await get(before.id)).toEqual(data)
})

test('200: what is left out stays', async () => {
  const id = await makeDatastore(client)
  const before = await get(id)
  const { data } = await sdk.updateDatastore({ client, path: { id }, body: {} })
  expect(data).toEqual(before)
})

test('200: two datastores may have one name', async () => {
  const [first, second] = [await makeDatastore(client, 'a'), await makeDatastore(client, 'b')]
  expect((await rename(second, 'a')).data).toMatchObject({ id: second, name: 'a' })
  expect(await get(first)).toMatchObject({ name: 'a' })
})

test('200: agents answer from it as before', async () => {
  const { agent, datastore } = await makeLearnedAgent(client, ['The library opens at nine.'])
  await rename(datastore, 'archive')
  const body = { query: 'When does the library open?' }
  const { data } = await sdk.queryAgent({ client, path: { id: agent }, body })
  expect(data).toMatchObject({ answered: true, sources: [{ datastore_id: datastore }] })
})

test('renamed and deleted at once it is gone, and every rename is answered 200 or 404', async () => {
  const id = await makeDatastore(client)
  const renames = Array.from({ length: 8 }, (_, n) => rename(id, `name ${n}`))
  const deleted = await sdk.deleteDatastore({ client, path: { id } })
  expect(deleted.response?.status).toBe(200)
  for (const { response } of await Promise.all(renames)) {
    expect([200, 404]).toContain(response?.status)
  }
  expect((await rename(id, 'late')).response?.status).toBe(404)
})

test('a datastore that another server has renamed is deleted at once', async () => {
  const dataUri = pathToFileURL(await temporaryDirectory()).href
  const here = (await startServer({ dataUri })).client
  const there = (await startServer({ dataUri })).client
  const id = await makeDatastore(here)
  expect((await rename(id, 'archive', there)).response?.status).toBe(200)
  const { data } = await sdk.deleteDatastore({ client: here, path: { id } })
  expect(data).toMatchObject({ name: 'archive' })
})

test('400: its fields are bounded, and no others are taken', async () => {
  const id = await makeDatastore(client)
  const places = async (body: object) =>
    placesOf(await send(url, 'PATCH', `/datastores/${id}`, { body: JSON.stringify(body) }))
  expect(await places({ name: 'x'.repeat(257) })).toEqual(['/name'])
  expect(await places({ name: null })).toEqual(['/name'])
  expect(await places({ description: 'x'.repeat(4_097) })).toEqual(['/description'])
  expect(await places({ name: 'x', fragmentLength: 500 })).toEqual(['/fragmentLength'])
})

test('404: an unknown datastore', async () => {
  expect((await rename('dst_unknown', 'x')).error).toMatchObject({ code: 'not_found' })
})
