import { describe, expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { type ChatBehaviour, sendAnswer } from '../support/chat-answers.ts'
import { type Behaviour, Provider, recorded, recordedError, sendJson } from '../support/provider.ts'
import { checkedClient, temporaryDirectory, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'

const provider = await Provider.start()

async function start(settings: NodeJS.ProcessEnv = {}) {
  const server = await spawnServer({
    DATA_URI: await temporaryDirectory(),
    INITIAL_KEY: testKey,
    EMBEDDING_MODEL: 'stand-in-5',
    OPENAI_API_KEY: provider.settings.apiKey,
    OPENAI_BASE_URL: provider.settings.baseUrl,
    ...settings,
  })
  onTestFinished(() => server.kill('SIGKILL'))
  return server
}

const failing =
  (status: number, message: string): Behaviour =>
  (_call, response) =>
    sendJson(response, status, recordedError('x', null, message))

const faults: [string, Behaviour, string, string][] = [
  ['a wrong key', failing(401, 'Incorrect API key.'), 'OPENAI_API_KEY', 'Incorrect API key.'],
  ['a key without rights', failing(403, 'Not for you.'), 'OPENAI_API_KEY', 'Not for you.'],
  ['an unknown model', failing(404, 'No such model.'), 'EMBEDDING_MODEL', 'No such model.'],
  ['a wrong path', failing(405, 'Use GET.'), 'OPENAI_BASE_URL', 'Use GET.'],
  [
    'dimensions it has not',
    failing(400, 'Bad dimensions.'),
    'EMBEDDING_DIMENSIONS',
    'Bad dimensions.',
  ],
  ['a spent quota', failing(429, 'Quota exceeded.'), 'refuses calls', 'Quota exceeded.'],
  ['a fault of its own', failing(503, 'Overloaded.'), 'OPENAI_BASE_URL', 'Overloaded.'],
]

test.each(faults)(
  'a start tells %s, names the setting, and goes on',
  async (_, answer, setting, said) => {
    provider.behaviour = answer
    const { url, errors } = await start()
    await expect.poll(errors).toContain(said)
    const warning = errors()
      .split('\n')
      .map(parsed)
      .find(({ reason }) => reason === said)
    expect(warning).toMatchObject({ level: 40, msg: expect.stringContaining(setting) })
    expect(errors()).not.toContain('sk-canary')
    const { response } = await sdk.listAgents({ client: checkedClient(url) })
    expect(response?.status).toBe(200)
  },
)

test('vectors of another length than was asked for are told', async () => {
  provider.behaviour = undefined
  const { errors } = await start({ EMBEDDING_DIMENSIONS: '7' })
  await expect.poll(errors).toContain('5 numbers instead of 7')
  expect(errors()).toContain('EMBEDDING_DIMENSIONS')
})

test('a page instead of embeddings is told', async () => {
  provider.behaviour = (_call, response) => response.writeHead(200).end('<!doctype html>')
  const { errors } = await start()
  await expect.poll(errors).toContain('OPENAI_BASE_URL')
})

test('a provider that is down keeps no server from starting', async () => {
  const { url, errors } = await start({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })
  await expect.poll(errors).toContain('OPENAI_BASE_URL')
  expect((await sdk.listAgents({ client: checkedClient(url) })).response?.status).toBe(200)
})

test('a provider that answers well is called once with a text of our own, and nothing is said', async () => {
  provider.calls.length = 0
  provider.behaviour = (call, response) => sendJson(response, 200, recorded(call))
  const { errors, kill } = await start()
  await expect.poll(() => provider.calls.map(({ body }) => body.input)).toEqual([['A text.']])
  await kill('SIGTERM')
  await expect.poll(errors).toContain('stopped')
  expect(errors()).not.toContain('"level":40')
})

describe('a start calls each chat model once', () => {
  const chat = {
    EMBEDDING_MODEL: '',
    CHAT_MODEL: 'model-of-most',
    CHAT_MODEL_GPT_4: 'model-of-gpt-4',
    CHAT_BASE_URL: provider.chat.baseUrl,
    CHAT_API_KEY: provider.chat.apiKey,
    OPENAI_API_KEY: 'sk-not-this-one',
  }

  test('and says nothing of those that answer well', async () => {
    provider.chats.length = 0
    provider.chatBehaviour = undefined
    const { errors, kill } = await start(chat)
    await expect.poll(() => provider.chats.length).toBe(2)
    expect(provider.chats.map(({ body }) => body.model).toSorted()).toEqual([
      'model-of-gpt-4',
      'model-of-most',
    ])
    expect(new Set(provider.chats.map(({ authorization }) => authorization))).toEqual(
      new Set([`Bearer ${provider.chat.apiKey}`]),
    )
    await expect.poll(() => provider.openChats).toBe(0)
    await kill('SIGTERM')
    expect(errors()).not.toContain('"level":40')
  })

  const failingChat =
    (status: number, error: object): ChatBehaviour =>
    (call, response) =>
      call.body.model === 'model-of-gpt-4' && 'temperature' in call.body
        ? sendJson(response, status, { error: { message: 'The provider’s own words.', ...error } })
        : sendAnswer(call, response)

  test.each([
    ['a wrong key', failingChat(401, {}), 'refuses CHAT_API_KEY'],
    ['an unknown model', failingChat(404, {}), 'know CHAT_MODEL_GPT_4 (model-of-gpt-4)'],
    ['a fault of its own', failingChat(503, {}), 'CHAT_BASE_URL'],
    ['a temperature refused', failingChat(400, { param: 'temperature' }), 'takes no temperature'],
  ])('and tells %s, names the setting, and goes on', async (_, behaviour, said) => {
    provider.chatBehaviour = behaviour
    const { url, errors } = await start(chat)
    await expect.poll(errors).toContain(said)
    expect(errors()).not.toMatch(/sk-canary|model-of-most/)
    expect((await sdk.listAgents({ client: checkedClient(url) })).response?.status).toBe(200)
  })
})

const parsed = (line: string): Record<string, unknown> => (line === '' ? {} : JSON.parse(line))
