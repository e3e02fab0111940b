import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { placesOf, send } from '../support/raw.ts'
import { joinServer } from '../support/server.ts'
import { putDocument, query } from '../support/things.ts'

const { client, url } = await joinServer()

test('201: an empty datastore, and where it is', async () => {
  const { data, response } = await sdk.createDatastore({ client, body: { name: 'library' } })
  expect(data).toEqual({
    id: expect.any(String),
    name: 'library',
    description: '',
    embeddingModel: 'hashing-2',
    dimensions: 1024,
    fragmentLength: 2_000,
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

test('201: its fragments are as long as was asked, also after an update and under another name', async () => {
  const text = 'The library opens at nine in the morning. '.repeat(60)
  for (const fragmentLength of [200, 8_000]) {
    const body = { name: 'library', fragmentLength }
    const { data } = await sdk.createDatastore({ client, body, throwOnError: true })
    expect(data).toMatchObject({ fragmentLength })
    const { id } = await putDocument(client, data.id, 'hours', { text })
    const lengths = async () => {
      const found = await query(client, data.id, { query: 'library', topK: 100 })
      return found.map((fragment) => fragment.text.trim().length)
    }
    const longest = fragmentLength === 200 ? [150, 200] : [2_519, 2_519]
    const isCutSo = (all: number[]) =>
      all.length > 0 && Math.max(...all) >= longest[0]! && Math.max(...all) <= longest[1]!
    expect(await lengths()).toSatisfy(isCutSo)
    const update = { client, path: { datastoreId: data.id }, body: { id, text: `${text} ` } }
    await sdk.updateDatasource({ ...update, throwOnError: true })
    expect(await lengths()).toSatisfy(isCutSo)
    const path = { id: data.id, datasourceId: id }
    await sdk.patchDatasource({ client, path, body: { name: 'Hours' }, throwOnError: true })
    expect(await lengths()).toSatisfy(isCutSo)
  }
})

test('400: a name is needed and bounded', async () => {
  const places = async (body: object) =>
    placesOf(await send(url, 'POST', '/datastores', { body: JSON.stringify(body) }))
  expect(await places({})).toEqual(['/name'])
  expect(await places({ name: 'x'.repeat(257) })).toEqual(['/name'])
  expect(await places({ name: 'x', id: 'mine' })).toEqual(['/id'])
})
