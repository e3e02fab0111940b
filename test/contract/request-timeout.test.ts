import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { startServer } from '../support/server.ts'
import { makeDatastore, upsert } from '../support/things.ts'

const { client } = await startServer({ requestTimeout: 1 })

/** About 15 MiB of different words, which take seconds to embed. */
const longText = (): string =>
  Array.from({ length: 90_000 }, (_, n) => `word${n.toString(36)}`).join(' ')

test('an upsert that takes longer is 504, and nothing of it is stored', async () => {
  const datastoreId = await makeDatastore(client)
  const documents = Array.from({ length: 15 }, () => ({ text: longText() }))
  const upserted = sdk.upsertDocuments({ client, path: { datastoreId }, body: { documents } })
  const { response, error } = await upserted
  expect([response?.status, error?.code]).toEqual([504, 'request_timeout'])
  expect(error?.detail).toContain('within 1 seconds; nothing was stored')
  // Writes to a datastore follow each other: had the first one come, it would be counted.
  await upsert(client, datastoreId, 'A short text.')
  const { data } = await sdk.getDatastore({ client, path: { id: datastoreId } })
  expect(data?.datasourceCount).toBe(1)
})

test('an update that takes longer is 504, and the old text stays', async () => {
  const datastoreId = await makeDatastore(client)
  const [id = ''] = await upsert(client, datastoreId, 'The old text.')
  const text = `${longText()} ${longText()}`.slice(0, 1_048_576)
  const body = { id, text }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => sdk.updateDatasource({ client, path: { datastoreId }, body })),
  )
  const statuses = answers.map(({ response }) => response?.status)
  expect(statuses).toEqual(Array(8).fill(504))
  const path = { id: datastoreId, datasourceId: id }
  expect((await sdk.getDatasource({ client, path })).data?.text).toBe('The old text.')
})
