import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore, upsert } from '../support/things.ts'

const { client } = await joinServer()

test('200: it counts what it holds', async () => {
  const id = await makeDatastore(client)
  const [first = ''] = await upsert(client, id, 'Short.', 'A long text of many words. '.repeat(300))
  const { data: full } = await sdk.getDatastore({ client, path: { id } })
  expect(full?.datasourceCount).toBe(2)
  expect(full?.fragmentCount).toBeGreaterThan(4)
  await sdk.deleteDatasource({ client, path: { id, datasourceId: first } })
  const { data: less } = await sdk.getDatastore({ client, path: { id } })
  expect(less).toEqual({
    ...full,
    datasourceCount: 1,
    fragmentCount: (full?.fragmentCount ?? 0) - 1,
  })
})

test('404: an unknown datastore', async () => {
  const { response } = await sdk.getDatastore({ client, path: { id: 'dst_unknown' } })
  expect(response?.status).toBe(404)
})
