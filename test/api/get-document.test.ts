import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore, putDocument } from '../support/things.ts'

const { client } = await joinServer()
const id = await makeDatastore(client)

test('200: the datasource with its whole text; 304 while it has not changed', async () => {
  const text = 'Some sentence of a long text. '.repeat(300)
  const path = { id, key: 'long' }
  const summary = await putDocument(client, id, 'long', { text })
  const { data, response } = await sdk.getDocument({ client, path })
  expect(data).toEqual({ ...summary, text })
  const headers = { 'If-None-Match': response?.headers.get('etag') ?? '' }
  expect((await sdk.getDocument({ client, path, headers })).response?.status).toBe(304)
  await putDocument(client, id, 'long', { text })
  expect((await sdk.getDocument({ client, path, headers })).response?.status).toBe(200)
})

test('404: no document of that key, though one has it as its id', async () => {
  const { id: datasourceId } = await putDocument(client, id, 'one', { text: 'One.' })
  for (const key of ['two', datasourceId, "x' OR 'a'='a"]) {
    const { response, error } = await sdk.getDocument({ client, path: { id, key } })
    expect([response?.status, error?.detail]).toEqual([404, `There is no document ${key}.`])
  }
})
