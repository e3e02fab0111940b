import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore, upsert } from '../support/things.ts'

const { client } = await joinServer()

test('200: pages, oldest first, each datastore with its counts', async () => {
  const made: string[] = []
  for (let n = 0; n < 5; n++) made.push(await makeDatastore(client, `store ${n}`))
  await upsert(client, made[1] ?? '', 'One.', 'Two.')
  const query = { limit: 3 }
  const { data: first } = await sdk.listDatastores({ client, query, throwOnError: true })
  const { data: second } = await sdk.listDatastores({
    client,
    query: { ...query, cursor: first.nextCursor ?? '' },
    throwOnError: true,
  })
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(made)
  expect(second.nextCursor).toBeNull()
  expect(first.data.map(({ datasourceCount }) => datasourceCount)).toEqual([0, 2, 0])
})

test('200: a datastore that is deleted leaves the list', async () => {
  const id = await makeDatastore(client)
  await sdk.deleteDatastore({ client, path: { id } })
  const { data } = await sdk.listDatastores({ client, query: { limit: 100 }, throwOnError: true })
  expect(data.data.map((datastore) => datastore.id)).not.toContain(id)
})
