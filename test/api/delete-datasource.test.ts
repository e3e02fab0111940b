import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const { client } = await joinServer()

test('200: the datasource as it was; its fragments are gone, the others stay', async () => {
  const id = await makeDatastore(client)
  const [gone = '', stays] = await upsert(client, id, 'A long text. '.repeat(500), 'Another text.')
  const path = { id, datasourceId: gone }
  const { data: before } = await sdk.getDatasource({ client, path })
  const { data } = await sdk.deleteDatasource({ client, path })
  expect(data).toEqual(before)
  const found = await query(client, id, { query: 'text', topK: 100 })
  expect(found.map(({ datasource_id }) => datasource_id)).toEqual([stays])
  expect((await sdk.deleteDatasource({ client, path })).response?.status).toBe(404)
})

test('one of several deletes at once answers 200, and the others 404', async () => {
  const id = await makeDatastore(client)
  const [datasourceId = ''] = await upsert(client, id, 'Text.')
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => sdk.deleteDatasource({ client, path: { id, datasourceId } })),
  )
  const statuses = answers.map(({ response }) => response?.status).toSorted()
  expect(statuses).toEqual([200, ...Array(5).fill(404)])
})
