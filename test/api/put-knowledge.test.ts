import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { Override, Scope } from '../../generated/types.gen.ts'
import { checkedClient, startServer } from '../support/server.ts'
import { makeAgent, makeDatastore, makeKey } from '../support/things.ts'

const { client, url } = await startServer()

test('200: it is replaced whole, and can be got, changed and sent back', async () => {
  const { id } = await makeAgent(client)
  const datastoreIds = [await makeDatastore(client)]
  const put = (body: Parameters<typeof sdk.putKnowledge>[0]['body']) =>
    sdk.putKnowledge({ client, path: { id }, body, throwOnError: true })
  const filters = { custom_ids: ['main-street'] }
  const overrides = [Override.MODEL_NAME, Override.TOP_K]
  const whole = {
    datastoreIds,
    topK: 3,
    mode: 'keyword',
    minScore: 0.2,
    filters,
    overrides,
  } as const
  const { data } = await put({ ...whole, noAnswer: 'Ask at the desk.' })
  expect(data).toEqual({ ...whole, noAnswer: 'Ask at the desk.' })
  expect((await sdk.getKnowledge({ client, path: { id } })).data).toEqual(data)
  const { data: bare } = await put({ datastoreIds })
  expect(bare).toMatchObject({
    topK: 8,
    mode: 'hybrid',
    minScore: null,
    filters: {},
    overrides: [],
  })
  expect((await put(bare)).data).toEqual(bare)
})

test('412: it has changed since that ETag; also the first time', async () => {
  const { id } = await makeAgent(client)
  const put = (tag: string) =>
    sdk.putKnowledge({
      client,
      path: { id },
      headers: { 'If-Match': tag },
      body: { datastoreIds: [] },
    })
  expect((await put('"1"')).response?.status).toBe(412)
  const first = await put('"none"')
  expect([first.response?.status, first.response?.headers.get('etag')]).toEqual([200, '"1"'])
  const { response, error } = await put('"none"')
  expect([response?.status, error?.detail]).toEqual([412, expect.stringContaining('If-Match')])
  expect((await put('"1"')).response?.status).toBe(200)
})

test('412: one of two that come first at once, and later ones are answered', async () => {
  const [{ id }, { id: other }] = [await makeAgent(client), await makeAgent(client)]
  const put = async (agent: string, tag?: string) => {
    const headers = tag === undefined ? {} : { 'If-Match': tag }
    const path = { id: agent }
    const { response } = await sdk.putKnowledge({
      client,
      path,
      headers,
      body: { datastoreIds: [] },
    })
    return response?.status
  }
  // While the first is written, the others wait, and share what comes next.
  const [first, ...others] = await Promise.all([put(other), put(id, '"none"'), put(id, '"none"')])
  expect([first, ...others.toSorted()]).toEqual([200, 200, 412])
  expect(await put(id)).toBe(200)
})

test('400: each datastore that is not of the workspace is named', async () => {
  const { key } = await makeKey(client, { workspace: 'other', scopes: Object.values(Scope) })
  const foreign = await makeDatastore(checkedClient(url, key))
  const { id } = await makeAgent(client)
  const own = await makeDatastore(client)
  const body = { datastoreIds: ['dst_unknown', own, foreign] }
  const { response, error } = await sdk.putKnowledge({ client, path: { id }, body })
  const named = error?.errors?.map(({ pointer }) => pointer)
  expect([response?.status, named]).toEqual([400, ['/datastoreIds/0', '/datastoreIds/2']])
})

test('404: of an agent that is not there', async () => {
  const path = { id: 'agt_unknown' }
  const { response } = await sdk.putKnowledge({ client, path, body: { datastoreIds: [] } })
  expect(response?.status).toBe(404)
})
