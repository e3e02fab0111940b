import { describe, expect, test } from 'vitest'
import { operations } from '../support/contract.ts'
import { placesOf, send } from '../support/raw.ts'
import { makeThings, named, requestFor } from '../support/requests.ts'
import { joinServer } from '../support/server.ts'
import { makeAgent, makeDatastore } from '../support/things.ts'

const { client, url } = await joinServer()

const secured = operations.filter(({ security }) => security.length > 0)

const things = await makeThings(client)

test.each(named(secured))(
  '%s does nothing on a condition that it does not check',
  async (_, operation) => {
    const { method, parameters } = operation
    const { path, ...body } = requestFor(operation, things)
    const isTaken = (header: string) => parameters.some(({ name }) => name.toLowerCase() === header)
    for (const header of method === 'GET' ? ['if-match'] : ['if-match', 'if-none-match']) {
      if (isTaken(header)) continue
      for (const value of ['"1"', '*', 'W/"1"']) {
        const response = await send(url, method, path, { ...body, headers: { [header]: value } })
        const got = [response.status, await placesOf(response)]
        expect.soft(got, `${header}: ${value}`).toEqual([400, [`/header/${header}`]])
      }
    }
  },
)

test('a delete on a condition that is not checked leaves the thing there', async () => {
  const path = `/datastores/${await makeDatastore(client)}`
  const headers = { 'if-match': '"1"' }
  expect((await send(url, 'DELETE', path, { headers })).status).toBe(400)
  expect((await send(url, 'GET', path)).status).toBe(200)
})

describe('an agent', () => {
  const body = JSON.stringify({ description: 'Another.' })

  test.each(['W/"1"', 'W/"1", W/"2"', '"2"', 'W/"1","x"'])(
    'is not changed with If-Match: %s, and the answer says why',
    async (tags) => {
      const { id } = await makeAgent(client)
      const headers = { 'if-match': tags }
      const response = await send(url, 'PATCH', `/agents/${id}`, { body, headers })
      const { detail } = (await response.json()) as { detail: string }
      expect([response.status, detail]).toEqual([412, expect.stringContaining('A weak ETag')])
    },
  )

  test.each([
    ['if-unmodified-since', 'Wed, 21 Oct 2015 07:28:00 GMT'],
    ['if-modified-since', 'Wed, 21 Oct 2099 07:28:00 GMT'],
    ['range', 'bytes=0-1'],
  ])('is answered whole, as the contract says, with %s', async (name, value) => {
    const { id } = await makeAgent(client)
    const response = await send(url, 'GET', `/agents/${id}`, { headers: { [name]: value } })
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ id })])
  })
})

test.each([
  ['Bearer Bearer ads_x', 'says Bearer twice'],
  ['bearer BEARER ads_x', 'says Bearer twice'],
  ['ads_x', 'the word Bearer, a space, and the key'],
  ['Basic dTpw', 'the word Bearer, a space, and the key'],
  ['Bearer <ads_x>', 'the word Bearer, a space, and the key'],
  ['Bearer "ads_x"', 'the word Bearer, a space, and the key'],
  ['Bearer ads_x', 'The key is not valid: it is unknown, revoked or expired.'],
])('Authorization: %s is 401 and told what to do', async (authorization, told) => {
  const response = await send(url, 'GET', '/agents', { headers: { authorization } })
  const { detail } = (await response.json()) as { detail: string }
  expect([response.status, detail]).toEqual([401, expect.stringContaining(told)])
  expect(detail).not.toContain('ads_x')
})

const inMarks = 'in its quotation marks, such as "1"'
const agent = `/agents/${things.agent}`
const upsert = `/api/datastores/upsert/${things.datastore}`

test.each([
  ['if-match', '2', 'DELETE', agent, inMarks],
  ['if-match', '', 'DELETE', agent, inMarks],
  ['if-none-match', '2', 'GET', agent, inMarks],
  ['if-none-match', '', 'GET', agent, inMarks],
  ['idempotency-key', 'a b\u00e9', 'POST', upsert, 'visible ASCII characters'],
  ['idempotency-key', '', 'POST', upsert, 'visible ASCII characters'],
])('%s: %s is 400 and told what to send', async (name, value, method, path, told) => {
  const body = JSON.stringify({ documents: [{ text: 'a' }] })
  const headers = { [name]: value }
  const response = await send(url, method, path, { ...(method === 'POST' && { body }), headers })
  const { errors } = (await response.json()) as { errors?: object[] }
  const detail = expect.stringContaining(told)
  expect(response.status).toBe(400)
  expect(errors).toContainEqual({ pointer: `/header/${name}`, detail })
})
