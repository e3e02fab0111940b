import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { placesOf, send } from '../support/raw.ts'
import { startServer } from '../support/server.ts'

const { client, url } = await startServer()

test('201: an empty datastore, and where it is', async () => {
  const { data, response } = await sdk.createDatastore({ client, body: { name: 'library' } })
  expect(data).toEqual({
    id: expect.any(String),
    name: 'library',
    embeddingModel: 'hashing-2',
    dimensions: 1024,
    datasourceCount: 0,
    fragmentCount: 0,
    createdAt: expect.any(String),
  })
  expect(response?.headers.get('location')).toBe(`/datastores/${data?.id}`)
})

test('201: sixteen at once are sixteen', async () => {
  const made = await Promise.all(
    Array.from({ length: 16 }, () => sdk.createDatastore({ client, body: { name: 'same' } })),
  )
  expect(new Set(made.map(({ data }) => data?.id)).size).toBe(16)
})

test('400: a name is needed and bounded', async () => {
  const places = async (body: object) =>
    placesOf(await send(url, 'POST', '/datastores', { body: JSON.stringify(body) }))
  expect(await places({})).toEqual(['/name'])
  expect(await places({ name: 'x'.repeat(257) })).toEqual(['/name'])
  expect(await places({ name: 'x', id: 'mine' })).toEqual(['/id'])
})
