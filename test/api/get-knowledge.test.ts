import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { send } from '../support/raw.ts'
import { joinServer } from '../support/server.ts'
import { makeAgent, makeDatastore, makeLearnedAgent } from '../support/things.ts'

const { client, url } = await joinServer()

test('200: an agent that was given none has an empty one', async () => {
  const { id } = await makeAgent(client)
  const { data, response } = await sdk.getKnowledge({ client, path: { id } })
  expect(data).toEqual({
    datastoreIds: [],
    topK: 8,
    mode: 'hybrid',
    minScore: null,
    filters: {},
    overrides: [],
    noAnswer: 'I could not find an answer to that in what I know.',
  })
  const headers = { 'if-none-match': response?.headers.get('etag') ?? '' }
  expect((await send(url, 'GET', `/agents/${id}/knowledge`, { headers })).status).toBe(304)
})

test('200: a datastore that was deleted is left out, and the others answer', async () => {
  const kept = await makeDatastore(client)
  const { agent: id, datastore } = await makeLearnedAgent(client, ['The library opens at nine.'])
  const body = { datastoreIds: [kept, datastore] }
  await sdk.putKnowledge({ client, path: { id }, body, throwOnError: true })
  await sdk.deleteDatastore({ client, path: { id: datastore }, throwOnError: true })
  const { data } = await sdk.getKnowledge({ client, path: { id } })
  expect(data?.datastoreIds).toEqual([kept])
  const asked = { query: 'When does the library open?' }
  const answer = await sdk.queryAgent({ client, path: { id }, body: asked, throwOnError: true })
  expect(answer.data.answered).toBe(false)
})

test('its ETag changes when a datastore of it is deleted, for readers and for writers', async () => {
  const { id } = await makeAgent(client)
  const datastoreIds = [await makeDatastore(client), await makeDatastore(client)]
  const path = `/agents/${id}/knowledge`
  const get = (tag: string) => send(url, 'GET', path, { headers: { 'if-none-match': tag } })
  const put = (tag: string, body: object) =>
    send(url, 'PUT', path, { body: JSON.stringify(body), headers: { 'if-match': tag } })
  const tagOf = ({ headers }: Response) => headers.get('etag') ?? ''
  const whole = tagOf(await put('*', { datastoreIds }))
  expect(whole).toBe('"1"')
  const seen = [whole]
  for (const datastore of datastoreIds) {
    await sdk.deleteDatastore({ client, path: { id: datastore }, throwOnError: true })
    const got = await get(seen.at(-1)!)
    expect(got.status).toBe(200)
    expect(seen).not.toContain(tagOf(got))
    seen.push(tagOf(got))
    expect((await get(tagOf(got))).status).toBe(304)
  }
  const [now = ''] = seen.toReversed()
  for (const tag of seen.slice(0, -1)) {
    const refused = await put(tag, { datastoreIds: [] })
    expect([refused.status, tagOf(refused)]).toEqual([412, now])
  }
  const written = await put(now, { datastoreIds: [] })
  expect([written.status, tagOf(written)]).toEqual([200, '"2"'])
})

test('404: of an agent that is not there', async () => {
  const { response } = await sdk.getKnowledge({ client, path: { id: 'agt_unknown' } })
  expect(response?.status).toBe(404)
})
