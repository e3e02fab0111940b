import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { QueryAgent } from '../../generated/types.gen.ts'
import { openServer, startServer, temporaryDirectory } from '../support/server.ts'
import { makeAgent, makeLearnedAgent } from '../support/things.ts'

const dataUri = await temporaryDirectory()
const first = await openServer({ dataUri })
const { client } = first
const text = 'The library opens at nine in the morning. On Sundays it is closed.'
const { agent: id, datastore, datasources } = await makeLearnedAgent(client, [text])

async function ask(body: QueryAgent, agent = id) {
  const { data } = await sdk.queryAgent({ client, path: { id: agent }, body, throwOnError: true })
  return data
}

test('200: the messages as they were given, whatever the documents say later; also after a start', async () => {
  const given = await ask({ query: 'When does the library open?', visitorId: 'ann' })
  const conversationId = given.conversationId!
  const next = await ask({ query: 'And on Sundays?', conversationId })
  expect([next.conversationId, next.visitorId]).toEqual([conversationId, 'ann'])
  const body = { id: datasources[0]!, text: 'The library is closed for good.' }
  await sdk.updateDatasource({ client, path: { datastoreId: datastore }, body, throwOnError: true })
  await first.close()

  const { client: later, close } = await openServer({ dataUri })
  const { data } = await sdk.getConversation({ client: later, path: { id: conversationId } })
  await close()
  expect(data).toMatchObject({ id: conversationId, agentId: id, visitorId: 'ann', messageCount: 4 })
  const { answer, conversationId: _c, visitorId: _v, messageId, ...details } = given
  const [question, reply, , last] = data!.messages
  expect(question).toMatchObject({ role: 'user', content: 'When does the library open?' })
  expect(reply).toMatchObject({ id: messageId, role: 'assistant', content: answer, ...details })
  expect(last).toMatchObject({ content: next.answer })
})

test('404: unknown, of another agent, or of another visitor', async () => {
  const { client: other } = await startServer()
  const learned = await makeLearnedAgent(other, [text])
  const query = 'When does the library open?'
  const path = { id: learned.agent }
  const asked = { client: other, path, throwOnError: true } as const
  const { data } = await sdk.queryAgent({ ...asked, body: { query, visitorId: 'ann' } })
  const conversationId = data.conversationId!
  const statusOf = async (agent: string, more: Partial<QueryAgent>) => {
    const body = { query, ...more }
    const { response } = await sdk.queryAgent({ client: other, path: { id: agent }, body })
    return response?.status
  }
  const { id: stranger } = await makeAgent(other)
  expect(await statusOf(learned.agent, { conversationId: 'cnv_unknown' })).toBe(404)
  expect(await statusOf(stranger, { conversationId })).toBe(404)
  expect(await statusOf(learned.agent, { conversationId, visitorId: 'bob' })).toBe(404)
  expect(await statusOf(learned.agent, { conversationId, visitorId: 'ann' })).toBe(200)
})
