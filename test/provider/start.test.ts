import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { readConfig } from '../../src/config/config.ts'
import { HttpServer } from '../../src/http/server.ts'
import { openService } from '../../src/service/service.ts'
import { type ChatBehaviour, sendAnswer } from '../support/chat-answers.ts'
import { makeLibrarian, question } from '../support/librarian.ts'
import { type Behaviour, Provider, recorded, recordedError, sendJson } from '../support/provider.ts'
import { checkedClient, openServer, temporaryDirectory, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const provider = await Provider.start()

const settingsOf = async (settings: NodeJS.ProcessEnv) => ({
  DATA_URI: await temporaryDirectory(),
  INITIAL_KEY: testKey,
  EMBEDDING_MODEL: 'stand-in-5',
  OPENAI_API_KEY: provider.settings.apiKey,
  OPENAI_BASE_URL: provider.settings.baseUrl,
  ...settings,
})

async function start(settings: NodeJS.ProcessEnv = {}) {
  const server = await spawnServer(await settingsOf(settings))
  onTestFinished(() => server.kill('SIGKILL'))
  return server
}

type Line = { level: number; msg: string; reason?: string }

/** The lines that a start in this process logs. */
async function linesOfStart(settings: NodeJS.ProcessEnv = {}): Promise<Line[]> {
  const lines: Line[] = []
  const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) })
  const service = await openService(readConfig(await settingsOf(settings)), log)
  await service.checkProvider()
  await service.close()
  return lines
}

/** The one line of warnings. */
const warningOf = (lines: Line[]): Line => {
  expect(JSON.stringify(lines)).not.toContain('sk-canary')
  const warnings = lines.filter(({ level }) => level >= 40)
  expect(warnings).toHaveLength(1)
  return warnings[0]!
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
  [
    'a fault that stands in a list',
    (_call, response) => sendJson(response, 400, [recordedError('x', null, 'Not valid.')]),
    'EMBEDDING_MODEL',
    'Not valid.',
  ],
  ['a spent quota', failing(429, 'Quota exceeded.'), 'refuses calls', 'Quota exceeded.'],
  ['a fault of its own', failing(503, 'Overloaded.'), 'OPENAI_BASE_URL', 'Overloaded.'],
]

test.each(faults)('a start tells %s, and names the setting', async (_, answer, setting, said) => {
  provider.behaviour = answer
  const { msg, reason } = warningOf(await linesOfStart())
  expect([msg, reason]).toEqual([expect.stringContaining(setting), said])
})

test('vectors of another length than was asked for are told', async () => {
  provider.behaviour = undefined
  const { msg } = warningOf(await linesOfStart({ EMBEDDING_DIMENSIONS: '7' }))
  expect(msg).toContain('5 numbers instead of 7')
  expect(msg).toContain('EMBEDDING_DIMENSIONS')
})

test('which datastores hold vectors of another length than the model gives is told', async () => {
  provider.behaviour = undefined
  const dataUri = await temporaryDirectory()
  const { client, close } = await openServer({ dataUri, provider: provider.settings })
  const id = await makeDatastore(client)
  await close()
  provider.behaviour = (call, response) => sendJson(response, 200, recorded(call, [[1, 2]]))
  const lines = await linesOfStart({ DATA_URI: dataUri })
  expect(warningOf(lines)).toMatchObject({
    datastores: [id],
    msg: expect.stringContaining('stand-in-5 with 2 dimensions'),
  })
})

test('a provider that takes no format of vectors is asked for none', async () => {
  provider.calls.length = 0
  provider.behaviour = (call, response) =>
    'encoding_format' in call.body
      ? sendJson(response, 400, recordedError('x', null, 'Unknown argument.'))
      : sendJson(response, 200, recorded(call))
  const { url, errors } = await start()
  await expect.poll(() => provider.calls.length).toBe(2)
  const client = checkedClient(url)
  const id = await makeDatastore(client)
  await upsert(client, id, 'The library opens at nine.')
  expect(await query(client, id, { query: 'library', mode: 'vector' })).toHaveLength(1)
  expect(errors()).not.toContain('refuses')
})

test('a page instead of embeddings is told', async () => {
  provider.behaviour = (_call, response) => response.writeHead(200).end('<!doctype html>')
  expect(warningOf(await linesOfStart()).msg).toContain('OPENAI_BASE_URL')
})

test('a provider that is down keeps no server from starting', { tags: 'deep' }, async () => {
  const { url, errors } = await start({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })
  await expect.poll(errors).toContain('OPENAI_BASE_URL')
  expect((await sdk.listAgents({ client: checkedClient(url) })).response?.status).toBe(200)
})

test(
  'a provider that answers well is called once with a text of our own, and nothing is said',
  { tags: 'deep' },
  async () => {
    provider.calls.length = 0
    provider.behaviour = (call, response) => sendJson(response, 200, recorded(call))
    const { errors, kill } = await start()
    await expect.poll(() => provider.calls.map(({ body }) => body.input)).toEqual([['A text.']])
    await kill('SIGTERM')
    await expect.poll(errors).toContain('stopped')
    expect(errors()).not.toContain('"level":40')
  },
)

test('the prefixes that are set stand before texts, blanks and all', { tags: 'deep' }, async () => {
  const settings = { EMBEDDING_QUERY_PREFIX: 'q: ', EMBEDDING_DOCUMENT_PREFIX: '' }
  provider.behaviour = undefined
  const { url } = await start({ ...settings, EMBEDDING_MODEL: 'nomic-embed-text' })
  const client = checkedClient(url)
  const id = await makeDatastore(client)
  provider.calls.length = 0
  await upsert(client, id, 'Own text.')
  await query(client, id, { query: 'A question?' })
  const inputs = provider.calls.flatMap(({ body }) => body.input)
  // The start sends a text of its own at some time.
  expect(inputs.filter((input) => input !== 'A text.')).toEqual(['Own text.', 'q: A question?'])
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
    expect((await linesOfStart(chat)).filter(({ level }) => level >= 40)).toEqual([])
    expect(provider.chats.map(({ body }) => body.model).toSorted()).toEqual([
      'model-of-gpt-4',
      'model-of-most',
    ])
    expect(new Set(provider.chats.map(({ authorization }) => authorization))).toEqual(
      new Set([`Bearer ${provider.chat.apiKey}`]),
    )
  })

  test('and sends no other provider the key of the embedding provider', async () => {
    provider.chats.length = 0
    provider.chatBehaviour = undefined
    await linesOfStart({ ...chat, CHAT_API_KEY: '', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })
    expect(provider.chats.map(({ authorization }) => authorization)).toEqual([undefined, undefined])
  })

  test('and finds out which answers begin with a thought without a tag', async () => {
    const answers = [
      ['Hm. \n</think>\n\nYes.', 'Yes.'],
      ['The library, hm.</think> It opens at nine [1].', 'It opens at nine [1].'],
      ['The library, hm.[/THINK]It opens at nine [1].', 'It opens at nine [1].'],
      ['It opens at nine [1].', 'It opens at nine [1].'],
      ['A thought.</think>', undefined],
    ] as const
    const service = await openService(readConfig(await settingsOf(chat)), pino({ enabled: false }))
    provider.chatBehaviour = (call, response) => sendAnswer(call, response, answers[0][0])
    await service.checkProvider()
    await service.keys.ensureFirst(testKey)
    const server = new HttpServer(service.app, 60)
    const client = checkedClient(await server.listen(0, '127.0.0.1'))
    const path = { id: await makeLibrarian(client) }
    for (const [said, told] of answers) {
      provider.chatBehaviour = (call, response) => sendAnswer(call, response, said)
      const { data } = await sdk.queryAgent({ client, path, body: { query: question } })
      expect(data?.answer).toBe(told)
    }
    await server.stop(1000)
    await service.close()
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
  ])('and tells %s, and names the setting', async (_, behaviour, said) => {
    provider.chatBehaviour = behaviour
    const warning = warningOf(await linesOfStart(chat))
    expect(warning.msg).toContain(said)
    expect(JSON.stringify(warning)).not.toContain('model-of-most')
  })
})
