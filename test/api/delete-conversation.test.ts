import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeAgent, makeConversation } from '../support/things.ts'

const { client } = await joinServer()

test('200: as it was; then it is gone, is not listed, and nothing goes on with it', async () => {
  const { id: agent } = await makeAgent(client)
  const id = await makeConversation(client, agent)
  const other = await makeConversation(client, agent)
  const { data: before } = await sdk.getConversation({ client, path: { id } })
  const { data } = await sdk.deleteConversation({ client, path: { id } })
  expect(data).toEqual(before)
  expect((await sdk.deleteConversation({ client, path: { id } })).response?.status).toBe(404)
  expect((await sdk.getConversation({ client, path: { id } })).response?.status).toBe(404)
  const body = { query: 'And on Sundays?', conversationId: id }
  const { response } = await sdk.queryAgent({ client, path: { id: agent }, body })
  expect(response?.status).toBe(404)
  const list = await sdk.listConversations({ client, path: { id: agent }, throwOnError: true })
  expect(list.data.data.map((one) => one.id)).toEqual([other])
})

test('a deleted agent takes its knowledge and its conversations along', async () => {
  const { id: agent } = await makeAgent(client)
  const id = await makeConversation(client, agent)
  await sdk.deleteAgent({ client, path: { id: agent }, throwOnError: true })
  const gone = [
    await sdk.getConversation({ client, path: { id } }),
    await sdk.deleteConversation({ client, path: { id } }),
    await sdk.listConversations({ client, path: { id: agent } }),
    await sdk.getKnowledge({ client, path: { id: agent } }),
  ]
  expect(gone.map(({ response }) => response?.status)).toEqual([404, 404, 404, 404])
})
