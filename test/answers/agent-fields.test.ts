import { beforeEach, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import {
  type CreateAgent,
  ModelName,
  PromptType,
  type QueryAgent,
  Visibility,
} from '../../generated/types.gen.ts'
import { makeLibrarian, openingHours, question } from '../support/librarian.ts'
import { Provider } from '../support/provider.ts'
import { checkedClient, startServer } from '../support/server.ts'
import { makeKey } from '../support/things.ts'

/** Each field of an agent changes what the chat model is sent, or who may ask. */

const provider = await Provider.start()
const models = { gpt_3_5_turbo: 'small', gpt_4: 'large' }
const { client, url } = await startServer({ chat: { ...provider.chat, models } })

beforeEach(() => {
  provider.chats.length = 0
})

/** What the model is sent for one question. */
async function sent(fields: Partial<CreateAgent> = {}, more: Partial<QueryAgent> = {}) {
  const id = await makeLibrarian(client, fields)
  const body = { query: question, ...more }
  await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  const { messages, model, temperature } = provider.chats.at(-1)!.body
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  const user = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
  return { model, temperature, system: system.join('\n'), user, last: user.at(-1)! }
}

test('modelName: the model behind it, also for one question', async () => {
  expect((await sent()).model).toBe('small')
  expect((await sent({ modelName: ModelName.GPT_4 })).model).toBe('large')
  expect((await sent({}, { modelName: ModelName.GPT_4 })).model).toBe('large')
})

test('temperature: as it is, also for one question', { tags: 'deep' }, async () => {
  expect((await sent({ temperature: 0.25 })).temperature).toBe(0.25)
  expect((await sent({ temperature: 0.25 }, { temperature: 1 })).temperature).toBe(1)
  expect((await sent()).temperature).toBe(0)
})

test('systemPrompt: begins the message of the system, also for one question', async () => {
  const systemPrompt = 'You are a librarian. You were asked: {query} {query}'
  const filled = `You are a librarian. You were asked: ${question} ${question}\n`
  expect((await sent({ systemPrompt })).system.startsWith(filled)).toBe(true)
  expect((await sent({}, { systemPrompt: 'Otherwise.' })).system).toMatch(/^Otherwise\.\n/)
})

test(
  'userPrompt: the question and the fragments stand where it says, everywhere',
  { tags: 'deep' },
  async () => {
    const both = await sent({ userPrompt: '{query} {context} {query} {context}' })
    expect(both.user).toHaveLength(1)
    expect(both.last.split(question)).toHaveLength(3)
    expect(both.last.split(openingHours)).toHaveLength(3)
    const [context, asked] = (await sent({ userPrompt: 'Reader: {query}' })).user
    expect(context).toContain(openingHours)
    expect(asked).toBe(`Reader: ${question}`)
    expect((await sent({ userPrompt: 'Be short.' })).last).toBe(`Be short.\n\n${question}`)
    expect((await sent({}, { userPrompt: 'Once: {query}' })).last).toBe(`Once: ${question}`)
  },
)

test('userPrompt: what is put in is not looked at again, and no dollar means anything', async () => {
  const query = "Does the library open at {context} $& $' {query}?"
  const { last } = await sent({ userPrompt: 'Q {query}' }, { query })
  expect(last).toBe(`Q ${query}`)
})

test(
  'promptTemplate and promptType: the user’s or the system’s prompt, where that is empty',
  { tags: 'deep' },
  async () => {
    const promptTemplate = 'T {query}'
    const raw = await sent({ promptType: PromptType.RAW, promptTemplate })
    expect(raw.last).toBe(`T ${question}`)
    const support = await sent({ promptType: PromptType.CUSTOMER_SUPPORT, promptTemplate })
    expect(support.system.startsWith(`T ${question}\n`)).toBe(true)
    expect(support.last).toBe(question)
    const newer = await sent({ promptTemplate, userPrompt: 'U {query}' })
    expect(newer.last).toBe(`U ${question}`)
    const other = await sent({ promptType: 'customer_support', promptTemplate, systemPrompt: 'S' })
    expect(other.system).not.toContain('T ')
  },
)

test('visibility: who may ask', async () => {
  const visitor = checkedClient(url, (await makeKey(client, { scopes: ['agents:query'] })).key)
  const statusOf = async (visibility: Visibility) => {
    const path = { id: await makeLibrarian(client, { visibility }) }
    const asked = { client: visitor, path, body: { query: question } }
    return (await sdk.queryAgent(asked)).response?.status
  }
  expect(await statusOf(Visibility.PUBLIC)).toBe(200)
  expect(await statusOf(Visibility.PRIVATE)).toBe(404)
})

test('name and description: say what it is to people, and nothing to the model', async () => {
  await sent({ name: 'Canary name', description: 'Canary description' })
  expect(JSON.stringify(provider.chats)).not.toContain('Canary')
})
