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

test('404: of an agent that is not there', async () => {
  const { response } = await sdk.getKnowledge({ client, path: { id: 'agt_unknown' } })
  expect(response?.status).toBe(404)
})
