import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { type Behaviour, Provider, recorded, recordedError, sendJson } from '../support/provider.ts'
import { startServer } from '../support/server.ts'
import { makeDatastore, upsert } from '../support/things.ts'

const provider = await Provider.start()
const { client, logged } = await startServer({ provider: provider.settings })
const datastoreId = await makeDatastore(client)

const send = (...texts: string[]) =>
  sdk.upsertDocuments({
    client,
    path: { datastoreId },
    body: { documents: texts.map((text) => ({ text })) },
  })

const failing =
  (status: number, error: unknown): Behaviour =>
  (_call, response) =>
    sendJson(response, status, error)

// After some failures in a row the provider is left alone for a while.
afterEach(async () => {
  provider.behaviour = undefined
  await expect.poll(async () => (await send('One.')).response?.status).toBe(200)
})

const queries: [string, Behaviour, number][] = [
  ['401', failing(401, recordedError('x', null, 'No.')), 502],
  ['503', failing(503, recordedError('x', null, 'Down.')), 502],
  ['no embeddings', failing(200, {}), 502],
]

test.each(queries)(
  'a query says what it met, and nothing of storing: %s',
  async (_, answer, status) => {
    provider.behaviour = answer
    const { response, error } = await sdk.queryDatastore({
      client,
      path: { id: datastoreId },
      body: { query: 'x' },
    })
    expect([response?.status, error?.detail]).toEqual([
      status,
      expect.not.stringMatching(/stored/i),
    ])
    provider.behaviour = undefined
    await expect.poll(async () => (await send('One.')).response?.status).toBe(200)
  },
)

const paragraphs = Array.from({ length: 32 }, (_, n) => `${n}`.padEnd(2000, 'x')).join('')
const many = Array.from({ length: 40 }, (_, n) => `Text ${n}.`)

test.each<[number, string[], string]>([
  [400, [...many, 'Refused.'], 'It refuses characters 0 to 8 of /documents/40.'],
  [413, ['One.', 'Refused.'], 'It refuses characters 0 to 8 of /documents/1.'],
  [
    422,
    ['One.', `${paragraphs.slice(2000)}Refused.`],
    'It refuses characters 62000 to 62008 of /documents/1.',
  ],
  [400, [`${paragraphs}Refused.`], 'It refuses characters 64000 to 64008 of the text.'],
])(
  'a text that is refused with %i is named, and nobody is to try again',
  async (status, texts, place) => {
    provider.behaviour = (call, response) =>
      call.body.input.some((one) => one.includes('Refused'))
        ? sendJson(response, status, recordedError('x', null, 'Too long.'))
        : sendJson(response, 200, recorded(call))
    const { response, error } = await send(...texts)
    const said = `The embedding provider answered ${status}. ${place} Nothing was stored.`
    expect([response?.status, error?.detail]).toEqual([502, said])
    expect(response?.headers.get('retry-after')).toBeNull()
    const asked = { client, path: { id: datastoreId }, body: { query: 'Refused.' } }
    const found = await sdk.queryDatastore(asked)
    expect(found.error?.detail).toBe(`The embedding provider answered ${status}.`)
    expect(found.response?.headers.get('retry-after')).toBeNull()
  },
)

test('a query that is not answered in time says so', { tags: 'deep' }, async () => {
  // Nobody answers it, so that no machine is too slow for a second.
  const silent = await startServer({ provider: { ...provider.settings, timeout: 1 } })
  const id = await makeDatastore(silent.client)
  provider.behaviour = () => undefined
  const { response, error } = await sdk.queryDatastore({
    client: silent.client,
    path: { id },
    body: { query: 'x' },
  })
  expect([response?.status, error?.code]).toEqual([504, 'embedding_timeout'])
  expect(error?.detail).not.toMatch(/stored/i)
})

const text = (status: number, body: string): Behaviour => {
  return (_call, response) => response.writeHead(status).end(body)
}
const reasons: [string, Behaviour, string][] = [
  [
    'OpenAI’s form',
    failing(401, recordedError('x', 'y', 'Incorrect API key.')),
    'Incorrect API key.',
  ],
  ['Ollama’s', failing(404, { error: 'model "x" not found' }), 'model "x" not found'],
  ['a gateway’s', failing(403, { message: 'No access for you.' }), 'No access for you.'],
  ['FastAPI’s', failing(404, { detail: 'Not Found' }), 'Not Found'],
  ['a list of it', failing(403, { detail: [{ msg: 'field required' }] }), 'field required'],
  ['plain text', text(429, 'You exceeded\r\nyour\u0007 quota.\n'), 'You exceeded your quota.'],
  ['too much text', text(403, 'no '.repeat(100_000)), 'no '.repeat(100)],
  ['nested deep', text(401, '['.repeat(1_000_000)), '['.repeat(300)],
  [
    'the key itself',
    text(401, `Bearer ${provider.settings.apiKey} is wrong: "${provider.settings.apiKey}"`),
    'Bearer [OPENAI_API_KEY] is wrong: "[OPENAI_API_KEY]"',
  ],
  ['nothing', text(401, ''), ''],
]

const expectReason = async (_: string, answer: Behaviour, told: string) => {
  provider.behaviour = answer
  logged.length = 0
  const { response, error } = await send('One.')
  expect(response?.status).toBe(502)
  const reason = logged.find(({ requestId }) => requestId === error?.requestId)?.reason ?? ''
  expect(reason).toBe(told)
  if (told !== '') expect(JSON.stringify(error)).not.toContain(told.slice(0, 20))
  expect(JSON.stringify(logged)).not.toContain('sk-canary')
}

const reasonTitle = 'a provider’s reason is in the log and not in the answer: %s'
const isUsual = ([name]: (typeof reasons)[number]) =>
  ['OpenAI’s form', 'the key itself'].includes(name)
test.each(reasons.filter(isUsual))(reasonTitle, expectReason)
test.each(reasons.filter((one) => !isUsual(one)))(reasonTitle, { tags: 'deep' }, expectReason)

test.each([400, 422, 500])(
  'what a provider says with %i is not logged, because it may repeat a text',
  async (status) => {
    provider.behaviour = failing(status, recordedError('x', null, 'Cannot embed "One."'))
    logged.length = 0
    expect((await send('One.')).response?.status).toBe(502)
    expect(JSON.stringify(logged)).not.toContain('Cannot embed')
  },
)

const million = 1024 * 1024
const shapes: [string, (call: Parameters<Behaviour>[0]) => string][] = [
  ['arrays in arrays', () => '['.repeat(30 * million)],
  ['objects in objects', () => '{"a":'.repeat(6 * million)],
  ['arrays beside arrays', () => `{"data":[${'[],'.repeat(4 * million)}[]]}`],
  ['members', () => `{${Array.from({ length: million }, (_, n) => `"${n}":0`).join()}}`],
  ['numbers', () => `{"data":[{"index":0,"embedding":[${'1,'.repeat(8 * million)}1]}]}`],
  ['blanks', (call) => JSON.stringify(recorded(call)) + ' '.repeat(30 * million)],
]

const expectTooLong = async (_: string, make: (typeof shapes)[number][1]) => {
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  provider.behaviour = (call, response) => {
    response.once('error', () => undefined)
    response.writeHead(200, { 'content-type': 'application/json' }).end(make(call))
  }
  const { response, error } = await send('One.')
  expect([response?.status, error?.detail]).toEqual([502, expect.stringContaining('too long')])
  expect(parse.mock.calls.filter(([json]) => json.length > million)).toEqual([])
}

const [first, ...rest] = shapes
const title = '%s by the million are no embeddings, and are not parsed'
test.each([first!])(title, expectTooLong)
test.each(rest)(title, { tags: 'deep' }, expectTooLong)

test('strings in an answer do not count against its bounds', async () => {
  provider.behaviour = (call, response) => {
    const answer = {
      note: '[{"\\'.repeat(2_000),
      ...recorded(call),
      usage: { details: { a: [1] } },
    }
    sendJson(response, 200, answer)
  }
  expect((await send('One.')).response?.status).toBe(200)
})

test.each([1, 32])(
  'the longest vectors there are, of %i texts, are within the bounds',
  async (count) => {
    const long = Array.from({ length: 16_384 }, (_, n) => -Math.PI * 10 ** -((n % 9) + 1))
    provider.behaviour = (call, response) =>
      sendJson(
        response,
        200,
        recorded(
          call,
          call.body.input.map(() => long),
        ),
      )
    const own = await startServer({ provider: provider.settings })
    const id = await makeDatastore(own.client)
    await upsert(own.client, id, ...Array.from({ length: count }, (_, n) => `Text ${n}.`))
    expect((await sdk.getDatastore({ client: own.client, path: { id } })).data?.dimensions).toBe(
      16_384,
    )
  },
)
