import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeAgent, makeLearnedAgent } from '../support/things.ts'

const { client } = await joinServer()
const { agent: id } = await makeLearnedAgent(client, ['The library opens at nine.'])

async function ask(visitorId: string, conversationId?: string): Promise<string> {
  const body = { query: 'When does the library open?', visitorId }
  const { data } = await sdk.queryAgent({
    client,
    path: { id },
    body: { ...body, ...(conversationId !== undefined && { conversationId }) },
    throwOnError: true,
  })
  return data.conversationId!
}

test('200: newest first, in pages, of one visitor or of all', async () => {
  const first = await ask('ann')
  const second = await ask('bob')
  const third = await ask('ann')
  await ask('ann', first)
  const list = async (query: { visitorId?: string; limit?: number; cursor?: string } = {}) =>
    (await sdk.listConversations({ client, path: { id }, query, throwOnError: true })).data
  const all = await list()
  expect(all.data.map((one) => one.id)).toEqual([third, second, first])
  expect(all.data.map(({ messageCount }) => messageCount)).toEqual([2, 2, 4])
  const [, , oldest] = all.data
  expect(oldest!.updatedAt > oldest!.createdAt).toBe(true)
  expect((await list({ visitorId: 'ann' })).data.map((one) => one.id)).toEqual([third, first])
  expect((await list({ visitorId: 'nobody' })).data).toEqual([])
  const page = await list({ limit: 2 })
  const rest = await list({ limit: 2, cursor: page.nextCursor! })
  expect([...page.data, ...rest.data]).toEqual(all.data)
  expect(rest.nextCursor).toBeNull()
  const { nextCursor: cursor } = await list({ limit: 1, visitorId: 'ann' })
  expect((await list({ visitorId: 'ann', cursor: cursor! })).data).toHaveLength(1)
  await expect(list({ cursor: cursor! })).rejects.toMatchObject({ code: 'invalid_request' })
})

test('200: those of another agent are not among them; 404: of none that is there', async () => {
  const other = await makeAgent(client)
  const { data } = await sdk.listConversations({ client, path: { id: other.id } })
  expect(data).toEqual({ data: [], nextCursor: null })
  const { response } = await sdk.listConversations({ client, path: { id: 'agt_unknown' } })
  expect(response?.status).toBe(404)
})
