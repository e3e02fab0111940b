import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { Scope } from '../../generated/types.gen.ts'
import { sendAnswer } from '../support/chat-answers.ts'
import { holdNextCommit } from '../support/held-commit.ts'
import { makeLibrarian, question, stream } from '../support/librarian.ts'
import { Provider } from '../support/provider.ts'
import { placesOf, send } from '../support/raw.ts'
import { checkedClient, startServer, temporaryDirectory } from '../support/server.ts'
import { makeAgent, makeConversation, makeKey } from '../support/things.ts'

const provider = await Provider.start()
const { client, url } = await startServer({ chat: provider.chat })

const remove = (id: string, visitorId: string) =>
  sdk.deleteConversations({ client, path: { id }, query: { visitorId } })

async function ask(id: string, visitorId: string, conversationId?: string): Promise<string> {
  const body = {
    query: 'When does the library open?',
    visitorId,
    ...(conversationId && { conversationId }),
  }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  return data.conversationId ?? ''
}

async function visitorsOf(id: string): Promise<string[]> {
  const { data } = await sdk.listConversations({ client, path: { id }, throwOnError: true })
  return data.data.map(({ visitorId }) => visitorId)
}

const statusOf = async (id: string) =>
  (await sdk.getConversation({ client, path: { id } })).response?.status

test('200: all conversations of the visitor with the agent are gone, and counted; others stay', async () => {
  const { id: agent } = await makeAgent(client)
  const { id: another } = await makeAgent(client)
  const first = await ask(agent, 'anna')
  await ask(agent, 'anna', first)
  const second = await ask(agent, 'anna')
  await ask(agent, 'ann')
  const elsewhere = await ask(another, 'anna')
  expect((await remove(agent, 'anna')).data).toEqual({ deleted: 2 })
  expect(await visitorsOf(agent)).toEqual(['ann'])
  expect(await Promise.all([first, second, elsewhere].map(statusOf))).toEqual([404, 404, 200])
  expect((await remove(agent, 'anna')).data).toEqual({ deleted: 0 })
})

test('200: a visitor is named literally', async () => {
  const { id: agent } = await makeAgent(client)
  const visitors = ["o'neil", '%', '*', 'ANNA', 'anna', "' OR 'a' = 'a"]
  for (const visitor of visitors) await ask(agent, visitor)
  for (const visitor of visitors) {
    expect((await remove(agent, visitor)).data, visitor).toEqual({ deleted: 1 })
  }
  expect(await visitorsOf(agent)).toEqual([])
})

test('a question in a conversation that is deleted meanwhile is 404 and brings nothing back', async () => {
  const { id: agent } = await makeAgent(client)
  const conversationId = await ask(agent, 'anna')
  const body = { query: 'And on Sundays?', conversationId }
  const questions = Array.from({ length: 12 }, () =>
    sdk.queryAgent({ client, path: { id: agent }, body }),
  )
  const [{ data }, ...answers] = await Promise.all([remove(agent, 'anna'), ...questions])
  expect(data).toEqual({ deleted: 1 })
  for (const { response } of answers) expect([200, 404]).toContain(response?.status)
  expect(await statusOf(conversationId)).toBe(404)
  expect(await visitorsOf(agent)).toEqual([])
  expect((await remove(agent, 'anna')).data).toEqual({ deleted: 0 })
})

test.each([false, true])(
  'a first question, streamed or not (%s), that is being answered then is 404 and stores nothing',
  async (streaming) => {
    const id = await makeLibrarian(client)
    provider.chatBehaviour = async (call, response) => {
      await remove(id, 'anna')
      await sendAnswer(call, response)
    }
    const body = { query: question, visitorId: 'anna' }
    const problem = streaming
      ? (await stream(client, id, body)).problem
      : (await sdk.queryAgent({ client, path: { id }, body })).error
    expect(problem).toMatchObject({ code: 'not_found' })
    expect((await remove(id, 'anna')).data).toEqual({ deleted: 0 })
  },
)

/** Two servers on one store, as on an object store. */
async function startTwo() {
  const dataUri = pathToFileURL(await temporaryDirectory()).href
  const [here, there] = [await startServer({ dataUri }), await startServer({ dataUri })]
  const { id } = await makeAgent(here.client)
  const go = (conversationId: string) => {
    const body = { query: 'And on Sundays?', conversationId }
    return sdk.queryAgent({ client: there.client, path: { id }, body })
  }
  const erase = () => {
    const query = { visitorId: 'visitor-1138' }
    return sdk.deleteConversations({ client: here.client, path: { id }, query })
  }
  const read = (of: string) => sdk.getConversation({ client: here.client, path: { id: of } })
  return { begin: () => makeConversation(here.client, id), go, erase, read }
}

test('a question that another server stores after the delete is 404 and brings nothing back', async () => {
  const { begin, go, erase, read } = await startTwo()
  const conversation = await begin()
  const { begun, goOn } = holdNextCommit()
  const asked = go(conversation)
  await begun
  expect((await erase()).data).toEqual({ deleted: 1 })
  goOn()
  expect((await asked).error).toMatchObject({ code: 'not_found' })
  expect((await read(conversation)).response?.status).toBe(404)
  expect((await erase()).data).toEqual({ deleted: 0 })
})

test(
  'of questions to another server during the delete, nothing stays',
  { tags: 'deep' },
  async () => {
    const { begin, go, erase, read } = await startTwo()
    for (let round = 0; round < 10; round++) {
      const conversation = await begin()
      const questions = Array.from({ length: 3 }, () => go(conversation))
      await Promise.all([...questions, begin().then(erase)])
      expect((await read(conversation)).response?.status).toBe(404)
      expect((await erase()).data).toEqual({ deleted: 0 })
    }
  },
)

test('of deletes at once each conversation is counted by one', async () => {
  const { id: agent } = await makeAgent(client)
  for (let n = 0; n < 5; n++) await ask(agent, 'anna')
  const answers = await Promise.all(Array.from({ length: 6 }, () => remove(agent, 'anna')))
  expect(answers.reduce((sum, { data }) => sum + (data?.deleted ?? 0), 0)).toBe(5)
})

test('400: without a visitor, or with an empty one or two; nothing is deleted', async () => {
  const { id: agent } = await makeAgent(client)
  await ask(agent, 'anna')
  for (const search of [
    '',
    '?visitorId=',
    '?visitorId=anna&visitorId=ann',
    `?visitorId=${'x'.repeat(257)}`,
  ]) {
    const response = await send(url, 'DELETE', `/agents/${agent}/conversations${search}`)
    expect([response.status, await placesOf(response)]).toEqual([400, ['/query/visitorId']])
  }
  expect(await visitorsOf(agent)).toEqual(['anna'])
})

test('404: an unknown agent, and one of another workspace', async () => {
  expect((await remove('agt_unknown', 'anna')).response?.status).toBe(404)
  const { id: agent } = await makeAgent(client)
  await ask(agent, 'anna')
  const scopes = [Scope.AGENTS_READ, Scope.AGENTS_WRITE]
  const { key } = await makeKey(client, { workspace: 'another', scopes })
  const { response } = await sdk.deleteConversations({
    client: checkedClient(url, key),
    path: { id: agent },
    query: { visitorId: 'anna' },
  })
  expect(response?.status).toBe(404)
  expect(await visitorsOf(agent)).toEqual(['anna'])
})
