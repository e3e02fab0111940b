import { connect } from '@lancedb/lancedb'
import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { send } from '../support/raw.ts'
import { sendAnswer } from '../support/chat-answers.ts'
import { makeLibrarian, question } from '../support/librarian.ts'
import { Provider } from '../support/provider.ts'
import { joinServer, startServer, temporaryDirectory } from '../support/server.ts'
import { makeAgent } from '../support/things.ts'

const { client, url } = await joinServer()

test('200: the agent as it was; then it is gone, and a second delete is 404', async () => {
  const agent = await makeAgent(client)
  const { data } = await sdk.deleteAgent({ client, path: { id: agent.id }, body: {} })
  expect(data).toEqual(agent)
  expect((await sdk.getAgent({ client, path: { id: agent.id } })).response?.status).toBe(404)
  expect((await sdk.deleteAgent({ client, path: { id: agent.id } })).response?.status).toBe(404)
})

test('200: without a body, and with any object for one', async () => {
  for (const body of [undefined, '{}', '{"any":["thing",{"at":"all"}]}']) {
    const { id } = await makeAgent(client)
    expect(
      (await send(url, 'DELETE', `/agents/${id}`, body === undefined ? {} : { body })).status,
    ).toBe(200)
  }
})

test('400 and 415: a body that is no JSON object, and the agent stays', async () => {
  const { id } = await makeAgent(client)
  for (const body of ['[]', 'null', '1', '{']) {
    expect((await send(url, 'DELETE', `/agents/${id}`, { body })).status).toBe(400)
  }
  const headers = { 'content-type': 'text/plain' }
  expect((await send(url, 'DELETE', `/agents/${id}`, { body: '{}', headers })).status).toBe(415)
  expect((await sdk.getAgent({ client, path: { id } })).response?.status).toBe(200)
})

test('412: If-Match with an old tag, and the agent stays', async () => {
  const { id } = await makeAgent(client)
  const headers = { 'If-Match': '"old"' }
  expect((await sdk.deleteAgent({ client, path: { id }, headers })).response?.status).toBe(412)
  expect((await sdk.getAgent({ client, path: { id } })).response?.status).toBe(200)
})

test('one of several deletes at once answers 200, and the others 404', async () => {
  const { id } = await makeAgent(client)
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => sdk.deleteAgent({ client, path: { id } })),
  )
  const statuses = answers.map(({ response }) => response?.status).toSorted()
  expect(statuses).toEqual([200, ...Array(7).fill(404)])
})

test('a question that is answered while its agent is deleted is 404, and leaves no conversation', async () => {
  const provider = await Provider.start()
  const dataUri = await temporaryDirectory()
  const server = await startServer({ chat: provider.chat, dataUri })
  const id = await makeLibrarian(server.client)
  const path = { id }
  provider.chatBehaviour = async (call, response) => {
    await sdk.deleteAgent({ client: server.client, path, throwOnError: true })
    await sendAnswer(call, response)
  }
  const { error } = await sdk.queryAgent({ client: server.client, path, body: { query: question } })
  expect(error).toMatchObject({ code: 'not_found', detail: expect.stringContaining(id) })
  const store = await connect(dataUri)
  expect(await (await store.openTable('messages')).countRows()).toBe(0)
  store.close()
})
