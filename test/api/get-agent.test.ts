import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { send } from '../support/raw.ts'
import { joinServer } from '../support/server.ts'
import { makeAgent } from '../support/things.ts'

const { client, url } = await joinServer()

test('200: the agent with its ETag, and 304 once the reader has that tag', async () => {
  const agent = await makeAgent(client)
  const { data, response } = await sdk.getAgent({ client, path: { id: agent.id } })
  expect(data).toEqual(agent)
  const headers = { 'if-none-match': response?.headers.get('etag') ?? '' }
  expect((await send(url, 'GET', `/agents/${agent.id}`, { headers })).status).toBe(304)
})

test('HEAD answers as GET does, without a body', async () => {
  const { id } = await makeAgent(client)
  const headers = { authorization: 'Bearer a-key-of-the-tests-0123456789abcdef' }
  const response = await fetch(`${url}/agents/${id}`, { method: 'HEAD', headers })
  expect([response.status, await response.text()]).toEqual([200, ''])
  expect(response.headers.get('etag')).toBe('"1"')
})

test('404: ids of any kind', async () => {
  for (const id of [
    'agt_unknown',
    "' OR ''='",
    '\u0000',
    '...',
    'a/b',
    '../agents',
    '😀',
    'x'.repeat(128),
  ]) {
    const { response, error } = await sdk.getAgent({ client, path: { id } })
    expect([response?.status, error?.code]).toEqual([404, 'not_found'])
  }
})

test('400: an id over 128 characters, or not percent-encoded UTF-8', async () => {
  for (const id of ['x'.repeat(129), '%zz', '%ff']) {
    expect((await send(url, 'GET', `/agents/${id}`)).status).toBe(400)
  }
})
