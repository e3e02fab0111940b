import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { commandLine } from '../support/command-line.ts'
import { callTool } from '../support/mcp.ts'
import {
  type Behaviour,
  Provider,
  recorded,
  recordedError,
  sendJson,
  vectorOf,
} from '../support/provider.ts'
import { startServer, temporaryDirectory } from '../support/server.ts'
import { makeAgent, makeDatastore, query, upsert } from '../support/things.ts'

const provider = await Provider.start()
const { client, logged } = await startServer({ provider: provider.settings })
const datastoreId = await makeDatastore(client)

beforeEach(() => {
  provider.calls.length = 0
  provider.mostAtOnce = 0
  provider.behaviour = undefined
})

const send = (...texts: string[]) => sendUntil(new AbortController().signal, ...texts)

const sendUntil = (signal: AbortSignal, ...texts: string[]) =>
  sdk.upsertDocuments({
    client,
    path: { datastoreId },
    body: { documents: texts.map((text) => ({ text })) },
    signal,
  })

async function countOf(id: string): Promise<number | undefined> {
  return (await sdk.getDatastore({ client, path: { id } })).data?.datasourceCount
}

test('the length of vectors is learnt from the provider, and a datastore remembers the model', async () => {
  const { data } = await sdk.getDatastore({ client, path: { id: datastoreId } })
  expect(data).toMatchObject({ embeddingModel: 'stand-in-5', dimensions: 5 })
})

test('calls are as the protocol has them', async () => {
  await send('A text.')
  expect(provider.calls).toEqual([
    {
      url: '/v1/embeddings',
      authorization: 'Bearer sk-canary-of-the-provider',
      body: { model: 'stand-in-5', input: ['A text.'], encoding_format: 'float' },
    },
  ])
})

test('dimensions are asked for where they are set', async () => {
  const settings = { ...provider.settings, dimensions: 5 }
  const own = await startServer({ provider: settings })
  const id = await makeDatastore(own.client)
  expect(provider.calls).toEqual([])
  await upsert(own.client, id, 'A text.')
  expect(provider.calls[0]?.body.dimensions).toBe(5)
})

test.each([1, 500, 600])(
  '%i fragments go in batches, eight calls at once at most',
  async (count) => {
    const id = await makeDatastore(client)
    // Nobody is answered before as many have come as may, so that calls meet.
    const met = Promise.withResolvers<void>()
    const most = Math.min(8, Math.ceil(count / 32))
    provider.behaviour = async (call, response) => {
      if (provider.calls.length === most) met.resolve(sdk.getLiveness({ client }).then(() => {}))
      await met.promise
      sendJson(response, 200, recorded(call))
    }
    provider.calls.length = 0
    // A text over 2,000 characters without a space is cut into fragments of 2,000.
    const perDocument = count > 500 ? 10 : 1
    const texts = Array.from({ length: count / perDocument }, (_item, document) =>
      Array.from({ length: perDocument }, (_, n) =>
        `${document}-${n}`.padEnd(perDocument > 1 ? 2000 : 10, 'x'),
      ).join(''),
    )
    await upsert(client, id, ...texts)
    const inputs = provider.calls.map(({ body }) => body.input)
    expect(inputs.flat()).toHaveLength(count)
    expect(new Set(inputs.flat()).size).toBe(count)
    for (const input of inputs) {
      expect(input.length).toBeLessThanOrEqual(32)
      expect(input.join('').length).toBeLessThanOrEqual(100_000)
    }
    expect(inputs.length).toBe(Math.ceil(count / 32))
    expect(provider.mostAtOnce).toBe(most)
  },
)

test('a provider that takes fewer texts in a call gets fewer', async () => {
  provider.behaviour = (call, response) => {
    if (call.body.input.length > 10) sendJson(response, 400, limited)
    else sendJson(response, 200, recorded(call))
  }
  const own = await startServer({ provider: provider.settings })
  const id = await makeDatastore(own.client)
  const texts = Array.from({ length: 40 }, (_, n) => `${'abcdefghij'.repeat(n % 7)}${n}`)
  await upsert(own.client, id, ...texts)
  const [best] = await query(own.client, id, { query: texts[39]!, topK: 1, mode: 'vector' })
  expect(best).toMatchObject({ text: texts[39], score: expect.closeTo(1, 4) })
  provider.calls.length = 0
  await upsert(own.client, id, ...texts.map((text) => `${text} again`))
  expect(provider.calls.map(({ body }) => body.input.length)).toEqual([8, 8, 8, 8, 8])
})

type Item = { index?: number; embedding: number[] }

test.each<[string, (data: Item[]) => Item[]]>([
  ['stands in another order', (data) => data.toReversed()],
  ['leaves out an index of 0', ([first, ...others]) => [withoutIndex(first!), ...others]],
  ['has no indexes', (data) => data.map(withoutIndex)],
])('vectors belong to their texts also when the answer %s', async (_, made) => {
  provider.behaviour = (call, response) => {
    const answer = recorded(call)
    sendJson(response, 200, { ...answer, data: made(answer.data) })
  }
  const id = await makeDatastore(client)
  const texts = Array.from({ length: 40 }, (__, n) => `${'abcdefghij'.repeat(n % 7)}${n}`)
  await upsert(client, id, ...texts)
  for (const text of [texts[0]!, texts[17]!, texts[39]!]) {
    const [best] = await query(client, id, { query: text, topK: 1, mode: 'vector' })
    expect(best).toMatchObject({ text, score: expect.closeTo(1, 4) })
  }
})

const withoutIndex = ({ embedding }: Item): Item => ({ embedding })

test('unchanged fragments are not embedded again on update', async () => {
  const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(2000))
  const [id = ''] = await upsert(client, datastoreId, texts.join(''))
  provider.calls.length = 0
  const update = (text: string) =>
    sdk.updateDatasource({ client, path: { datastoreId }, body: { id, text }, throwOnError: true })
  await update(texts.join(''))
  expect(provider.calls).toEqual([])
  await update([texts[0], texts[1], 'd'.repeat(2000)].join(''))
  expect(provider.calls.map(({ body }) => body.input)).toEqual([['d'.repeat(2000)]])
})

const good = (call: Parameters<Behaviour>[0]) => recorded(call)
const withVector =
  (make: (vector: number[]) => unknown): Behaviour =>
  (call, response) => {
    const answer = good(call)
    const data = answer.data.map((item) => ({ ...item, embedding: make(item.embedding) }))
    sendJson(response, 200, { ...answer, data })
  }
const failing =
  (status: number, error: unknown, headers = {}): Behaviour =>
  (_call, response) =>
    sendJson(response, status, error, headers)
const overloaded = recordedError('server_error', null, 'The server is overloaded.')
const limited = recordedError('requests', 'rate_limit_exceeded', 'Rate limit reached.')

const badAnswers: [string, Behaviour, number, string][] = [
  ['reset', (_call, response) => response.destroy(), 502, 'could not be reached'],
  [
    '401',
    failing(401, recordedError('invalid_request_error', 'invalid_api_key', 'Incorrect API key.')),
    502,
    'answered 401',
  ],
  [
    '404 model',
    failing(404, recordedError('invalid_request_error', 'model_not_found', 'No such model.')),
    502,
    'answered 404',
  ],
  ['429 with Retry-After', failing(429, limited, { 'retry-after': '1' }), 502, 'answered 429'],
  ['429 without Retry-After', failing(429, limited), 502, 'answered 429'],
  ['500', failing(500, overloaded), 502, 'answered 500'],
  ['503', failing(503, overloaded), 502, 'answered 503'],
  [
    'wrong count',
    (call, response) => {
      const answer = good(call)
      sendJson(response, 200, { ...answer, data: answer.data.slice(1) })
    },
    502,
    '2 embeddings for 3 texts',
  ],
  [
    'wrong order: an index twice',
    (call, response) => {
      const answer = good(call)
      sendJson(response, 200, {
        ...answer,
        data: answer.data.map((item) => ({ ...item, index: 0 })),
      })
    },
    502,
    'no embeddings',
  ],
  ['wrong length', withVector((vector) => vector.slice(1)), 502, '4 numbers instead of 5'],
  [
    'NaN',
    (call, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify(good(call)).replaceAll(/"embedding":\[[^,]+/g, '"embedding":[NaN'),
      )
    },
    502,
    'no embeddings',
  ],
  ['null for a number', withVector((vector) => [null, ...vector.slice(1)]), 502, 'no embeddings'],
  ['past any float', withVector((vector) => [1e300, ...vector.slice(1)]), 502, 'not finite'],
  ['zeros', withVector((vector) => vector.map(() => 0)), 502, 'only zeros'],
  [
    'HTML',
    (_call, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<!doctype html><title>Gateway</title>')
    },
    502,
    'no embeddings',
  ],
  [
    'cut JSON',
    (call, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(good(call)).slice(0, -20))
    },
    502,
    'no embeddings',
  ],
  [
    'a redirect',
    (_call, response) => {
      response.writeHead(307, { location: 'http://127.0.0.1:1/v1/embeddings' }).end()
    },
    502,
    'answered 307',
  ],
  [
    'huge',
    (_call, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const piece = ' '.repeat(1024 * 1024)
      const write = () => {
        while (!response.destroyed && response.write(piece));
        response.once('drain', write)
      }
      write()
    },
    502,
    'too long',
  ],
]

const inSuite = new Set(['reset', '401', 'wrong count', 'wrong length', 'HTML'])
const [usual, others] = [true, false].map((is) =>
  badAnswers.filter(([name]) => inSuite.has(name) === is),
)
const badTitle =
  'an answer that is bad: %s gives the right Problem, stores nothing, and the next one is taken'
const expectBad = async (...[, behaviour, status, detail]: (typeof badAnswers)[number]) => {
  const before = await countOf(datastoreId)
  provider.behaviour = behaviour
  const { response, error } = await send('One.', 'Two.', 'Three.')
  expect([response?.status, error?.detail]).toEqual([status, expect.stringContaining(detail)])
  expect(error?.detail).toContain('Nothing was stored.')
  expect(error?.code).toBe('embedding_failed')
  expect(await countOf(datastoreId)).toBe(before)

  provider.behaviour = undefined
  const isBack = async () => (await send('One.')).response?.status
  await expect.poll(isBack).toBe(200)
  expect(await countOf(datastoreId)).toBe((before ?? 0) + 1)
}

test.each(usual!)(badTitle, expectBad)
test.each(others!)(badTitle, { tags: 'deep' }, expectBad)

const endless: [string, Behaviour][] = [
  ['begins', () => undefined],
  [
    'ends',
    (_call, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const dribble = setInterval(() => response.write(' '), 100)
      response.once('close', () => clearInterval(dribble))
    },
  ],
]

test.each(endless)(
  'an answer that never %s is 504, and nothing is stored',
  { tags: 'deep' },
  async (_, behaviour) => {
    // Nothing that is to succeed is asked of it, for on a slow machine a second is short.
    const settings = { ...provider.settings, dimensions: 5, timeout: 1 }
    const hasty = await startServer({ provider: settings })
    const id = await makeDatastore(hasty.client)
    provider.behaviour = behaviour
    const { response, error } = await sdk.upsertDocuments({
      client: hasty.client,
      path: { datastoreId: id },
      body: { documents: [{ text: 'One.' }] },
    })
    expect([response?.status, error?.code]).toEqual([504, 'embedding_timeout'])
    expect(error?.detail).toMatch(/within 1 seconds.*Nothing was stored\./)
    const { data } = await sdk.getDatastore({ client: hasty.client, path: { id } })
    expect(data?.datasourceCount).toBe(0)
  },
)

test('a call is repeated after a passing fault, and Retry-After is waited for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const called: number[] = []
  provider.behaviour = (call, response) => {
    called.push(Date.now())
    if (called.length > 1) sendJson(response, 200, recorded(call))
    else sendJson(response, 429, limited, { 'retry-after': '2' })
  }
  const sent = send('One.')
  await expect.poll(() => called).toHaveLength(1)
  const isRepeated = async () => {
    await vi.advanceTimersByTimeAsync(500)
    return called.length > 1
  }
  await expect.poll(isRepeated).toBe(true)
  expect((await sent).response?.status).toBe(200)
  expect(called[1]! - called[0]!).toBeGreaterThanOrEqual(2_000)
})

test('a call is repeated after an answer that breaks off', async () => {
  provider.behaviour = (call, response) => {
    if (provider.calls.length > 1) return sendJson(response, 200, recorded(call))
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.write('{"data":', () => response.destroy())
  }
  expect((await send('One.')).response?.status).toBe(200)
})

test('a call that waits to be repeated keeps no other waiting', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  provider.behaviour = (call, response) => {
    if (call.body.input[0]?.startsWith('Limited')) {
      sendJson(response, 429, limited, { 'retry-after': '4' })
    } else sendJson(response, 200, recorded(call))
  }
  const hangUp = new AbortController()
  const limitedOnes: Promise<unknown>[] = []
  // More in all than are called for at once, and never so many in a row that the provider is left alone.
  for (let called = 0; called < 12; called += 4) {
    limitedOnes.push(...[1, 2, 3].map((n) => sendUntil(hangUp.signal, `Limited ${called + n}.`)))
    await expect.poll(() => provider.calls.length).toBe(called + 3)
    expect((await send('Free.')).response?.status).toBe(200)
    expect(provider.calls).toHaveLength(called + 4)
  }
  hangUp.abort()
  await Promise.all(limitedOnes)
})

test('a long Retry-After is passed on to the caller', async () => {
  provider.behaviour = failing(429, limited, { 'retry-after': '50' })
  const { response } = await send('One.')
  expect([response?.status, response?.headers.get('retry-after')]).toEqual([502, '50'])
  expect(provider.calls).toHaveLength(1)
})

test('a provider that keeps failing is left alone for a while', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  provider.behaviour = failing(503, overloaded)
  await Promise.all(Array.from({ length: 8 }, () => send('One.')))
  provider.calls.length = 0
  const { error, response } = await send('One.')
  expect(provider.calls).toEqual([])
  expect(error?.detail).toContain('keeps failing, and answered 503 the last time.')
  expect(response?.headers.get('retry-after')).toBe('2')
  provider.behaviour = undefined
  vi.setSystemTime(Date.now() + 1_999)
  expect((await send('One.')).response?.status).toBe(502)
  vi.setSystemTime(Date.now() + 1)
  expect((await send('One.')).response?.status).toBe(200)
})

test('the provider’s key is in no log line', () => {
  expect(logged.length).toBeGreaterThan(20)
  expect(JSON.stringify(logged)).not.toContain('sk-canary')
})

test(
  '409: a datastore of another embedder is not touched, and says which it needs',
  { tags: 'deep' },
  async () => {
    const dataUri = await temporaryDirectory()
    const builtIn = await startServer({ dataUri })
    const id = await makeDatastore(builtIn.client)
    const [datasourceId = ''] = await upsert(builtIn.client, id, 'A text.')
    await builtIn.close()

    const { client: other } = await startServer({ dataUri, provider: provider.settings })
    const documents = [{ text: 'Another text.' }]
    const answers = await Promise.all([
      sdk.queryDatastore({ client: other, path: { id }, body: { query: 'x' } }),
      sdk.upsertDocuments({ client: other, path: { datastoreId: id }, body: { documents } }),
      sdk.updateDatasource({
        client: other,
        path: { datastoreId: id },
        body: { id: datasourceId, text: 'A text.' },
      }),
    ])
    for (const { response, error } of answers) {
      expect([response?.status, error?.code]).toEqual([409, 'embedding_model_mismatch'])
      expect(error?.detail).toMatch(
        /^The datastore "library" \(.*hashing-2 with 1024 dim.*stand-in-5/,
      )
    }
    const { data } = await sdk.getDatasource({ client: other, path: { id, datasourceId } })
    expect(data?.text).toBe('A text.')
  },
)

test('a datastore whose model gives vectors of another length by now is one of another embedder', async () => {
  const dataUri = await temporaryDirectory()
  const before = await startServer({ dataUri, provider: provider.settings })
  const id = await makeDatastore(before.client)
  await upsert(before.client, id, 'The library opens at nine.')
  await before.close()
  provider.behaviour = (call, response) => {
    const vectors = call.body.input.map((input) => vectorOf(input).slice(0, 3))
    sendJson(response, 200, recorded(call, vectors))
  }
  const { client: after } = await startServer({ dataUri, provider: provider.settings })
  const body = { query: 'When does the library open?' }
  for (const { response, error } of [
    await sdk.queryDatastore({ client: after, path: { id }, body }),
    await sdk.putDocument({ client: after, path: { id, key: 'a' }, body: { text: 'A text.' } }),
  ]) {
    expect([response?.status, error?.code]).toEqual([409, 'embedding_model_mismatch'])
    expect(error?.detail).toMatch(/stand-in-5 with 5 dimensions; .*stand-in-5 with 3 dimensions\./)
  }
  const { id: agent } = await makeAgent(after)
  const other = await makeDatastore(after)
  const datastoreIds = [id, other]
  await sdk.putKnowledge({ client: after, path: { id: agent }, body: { datastoreIds } })
  const { data } = await sdk.queryAgent({ client: after, path: { id: agent }, body })
  expect(data?.answer).toBe('The library opens at nine.')
})

test('among others a datastore of another embedder is searched by keyword, and the start names it', async () => {
  const dataUri = await temporaryDirectory()
  const builtIn = await startServer({ dataUri })
  const old = await makeDatastore(builtIn.client)
  await upsert(builtIn.client, old, 'The greenhouse opens at seven.')
  const { id: agent } = await makeAgent(builtIn.client)
  const cwd = await temporaryDirectory()
  await writeFile(join(cwd, 'hours.md'), 'The cellar opens at eight.')
  const ingest = (to: string) => commandLine(to, ['ingest', old, 'hours.md'], { cwd })
  expect(await ingest(builtIn.url)).toMatchObject({ code: 0 })
  await builtIn.close()

  const server = await startServer({ dataUri, provider: provider.settings })
  const { client: other, url } = server
  // The file has not changed, and yet nobody would find it by meaning.
  const refused = { code: 1, stderr: expect.stringContaining('needs the embedder hashing-2') }
  expect(await ingest(url)).toMatchObject(refused)
  expect(server.logged).toContainEqual(expect.objectContaining({ level: 40, datastores: [old] }))
  const id = await makeDatastore(other)
  await upsert(other, id, 'The library opens at nine.')
  const knowledge = { datastoreIds: [old, id] }
  await sdk.putKnowledge({
    client: other,
    path: { id: agent },
    body: knowledge,
    throwOnError: true,
  })
  const body = { query: 'When does the greenhouse open?' }
  const { data } = await sdk.queryAgent({
    client: other,
    path: { id: agent },
    body,
    throwOnError: true,
  })
  const datastores = new Set(data.sources.map(({ datastore_id }) => datastore_id))
  expect(datastores).toEqual(new Set([old, id]))

  for (const place of [{}, { datastore: old }]) {
    const found = await callTool(url, 'search', { query: 'greenhouse', ...place })
    const text = await found.text()
    expect(text).toContain('The greenhouse opens at seven.')
    expect(text).toContain(`library (${old}) was searched by keyword alone`)
  }
  const asked = await callTool(url, 'ask', { agent: 'Librarian', ...body })
  expect(await asked.text()).toContain('"answered":true')
})
