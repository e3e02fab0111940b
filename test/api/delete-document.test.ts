import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore, putDocument, query } from '../support/things.ts'

const { client } = await joinServer()
const id = await makeDatastore(client)

test('200: the datasource as it was; a second delete is 404, a put makes a new one', async () => {
  const path = { id, key: 'one' }
  await putDocument(client, id, 'one', { text: 'Some sentence. '.repeat(400), name: 'One' })
  const { data: before } = await sdk.getDocument({ client, path })
  const { data } = await sdk.deleteDocument({ client, path })
  expect(data).toEqual(before)
  expect(await query(client, id, { query: 'sentence' })).toEqual([])
  expect((await sdk.deleteDocument({ client, path })).response?.status).toBe(404)
  const again = await sdk.putDocument({ client, path, body: { text: 'Again.' } })
  expect(again.response?.status).toBe(201)
})

test('412: it has changed since; 200: it has not', async () => {
  const path = { id, key: 'two' }
  await putDocument(client, id, 'two', { text: 'Old.' })
  const tag = async () => {
    const { response } = await sdk.getDocument({ client, path })
    return { 'If-Match': response?.headers.get('etag') ?? '' }
  }
  const old = await tag()
  await putDocument(client, id, 'two', { text: 'New.' })
  expect((await sdk.deleteDocument({ client, path, headers: old })).response?.status).toBe(412)
  expect((await sdk.getDocument({ client, path })).data?.text).toBe('New.')
  const headers = await tag()
  expect((await sdk.deleteDocument({ client, path, headers })).response?.status).toBe(200)
  expect((await sdk.deleteDocument({ client, path, headers })).response?.status).toBe(404)
})
