import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  AgentsDatastores,
  ConnectionError,
  ProblemError,
  type Settings,
  UnexpectedAnswerError,
} from '../../client/src/index.ts'
import { HastyClient } from '../support/hasty-client.ts'
import {
  answer,
  halfAnswer,
  page,
  refuse,
  reset,
  startScripted,
  type Step,
} from '../support/scripted.ts'

// Time passes when a test says so.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterAll(() => vi.useRealTimers())

const timeout = 1000
/** The server is silent until the client gives it up. */
const outOfTime: Step = () => vi.advanceTimersByTime(timeout)

async function scripted(steps: Step[], settings: Settings = {}) {
  const server = await startScripted(...steps)
  const client = new HastyClient({ baseUrl: server.url, apiKey: 'key', timeout, ...settings })
  return { ...server, client }
}

const documents = [{ text: 'The library opens at nine.' }]
const matched = { headers: { 'If-Match': '"1"' } }

const repeatable: ((client: AgentsDatastores) => Promise<unknown>)[] = [
  (client) => client.listAgents(),
  (client) => client.queryDatastore('dst_1', { query: 'library' }),
  (client) => client.putDocument('dst_1', 'hours', { text: 'The library opens at nine.' }),
  (client) => client.putDocuments('dst_1', { documents: [{ key: 'hours', text: 'At nine.' }] }),
  (client) => client.deleteAgent('agt_1'),
  (client) => client.upsertDocuments('dst_1', { documents }),
  (client) => client.updateAgent('agt_1', { description: 'Answers.' }, matched),
]
const unrepeatable: typeof repeatable = [
  (client) => client.createDatastore({ name: 'library' }),
  (client) => client.updateDatastore('dst_1', { name: 'library' }),
  (client) => client.createKey({ name: 'test', scopes: [] }),
  (client) => client.updateAgent('agt_1', { description: 'Answers.' }),
  (client) => client.updateDatasource('dst_1', { id: 'src_1', text: 'The library opens at ten.' }),
  (client) => client.patchDatasource('dst_1', 'src_1', { name: 'Hours' }),
  (client) => client.queryAgent('agt_1', { query: 'When does it open?' }),
  (client) => client.streamAgent('agt_1', { query: 'When does it open?' }).next(),
]

const event = `data: {"type":"sources","sources":[]}\n\n`
const done: Step = (request, response, body) =>
  body.includes('streaming')
    ? response.end(event)
    : answer({ data: [], nextCursor: null })(request, response, body)
const soon = { 'retry-after': '0' }

test.each<[string, Step, typeof repeatable, typeof repeatable]>([
  ['429', page(429, soon), [...repeatable, ...unrepeatable], []],
  ['503', refuse(503, 'overloaded', soon), [...repeatable, ...unrepeatable], []],
  ['503 of a proxy', page(503), [...repeatable, ...unrepeatable], []],
  ['408', refuse(408, 'client_timeout'), repeatable, unrepeatable],
  ['500', refuse(500, 'internal'), repeatable, unrepeatable],
  ['502', refuse(502, 'embedding_failed', soon), repeatable, unrepeatable],
  ['502 of a refused text', refuse(502, 'embedding_failed'), [], [...repeatable, ...unrepeatable]],
  ['502 of a proxy', page(502), repeatable, unrepeatable],
  ['504', refuse(504, 'request_timeout'), repeatable, unrepeatable],
  ['a reset', reset, repeatable, unrepeatable],
  ['a timeout', outOfTime, repeatable, unrepeatable],
  ['half a body', halfAnswer, repeatable, unrepeatable.slice(0, -1)],
  ['a page instead of an answer', page(200), repeatable, unrepeatable.slice(0, -1)],
  ['400', refuse(400, 'invalid_request'), [], [...repeatable, ...unrepeatable]],
  ['404', refuse(404, 'not_found'), [], [...repeatable, ...unrepeatable]],
  ['412', refuse(412, 'precondition_failed'), [], [...repeatable, ...unrepeatable]],
  ['507', refuse(507, 'storage_full'), [], [...repeatable, ...unrepeatable]],
])('after %s, what may be sent again is, and nothing else', async (_, failure, again, once) => {
  for (const call of again) {
    const { client, received } = await scripted([failure, done])
    await call(client)
    expect([String(call), received.length]).toEqual([String(call), 2])
    expect(received[1]).toEqual(received[0])
  }
  for (const call of once) {
    const { client, received } = await scripted([failure, done])
    await expect(call(client)).rejects.toThrow(
      /did not work|is not the service's|broke off|No answer came|within 1000 ms/,
    )
    expect([String(call), received.length]).toEqual([String(call), 1])
  }
})

test('what fails every time is thrown after the last try, as what it is', async () => {
  const overloaded = await scripted([refuse(503, 'overloaded', { 'retry-after': '7' })])
  const error = await overloaded.client.listAgents().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ProblemError)
  expect(error).toMatchObject({ code: 'overloaded', status: 503, requestId: 'req_0' })
  expect(error).toMatchObject({ retryAfter: 7, detail: 'It did not work.', errors: [] })
  expect(overloaded.received).toHaveLength(3)
  const proxied = await scripted([page(502)], { maxRetries: 0 })
  const foreign = await proxied.client.listAgents().catch((thrown: unknown) => thrown)
  expect(foreign).toBeInstanceOf(UnexpectedAnswerError)
  expect(foreign).toMatchObject({ status: 502, body: '<h1>A page</h1>' })
  expect(proxied.received).toHaveLength(1)
  const portal = await scripted([page(200)])
  await expect(portal.client.listAgents()).rejects.toThrow(UnexpectedAnswerError)
  const broken = await scripted([reset])
  const lost = broken.client.listAgents({}, { maxRetries: 1 })
  await expect(lost).rejects.toThrow(ConnectionError)
  expect(broken.received).toHaveLength(2)
})

test('it waits as long as is asked or a little longer, else longer each time', async () => {
  const asked = await scripted([page(429, { 'retry-after': '8' })])
  await asked.client.listAgents().catch(() => undefined)
  expect(asked.client.pauses).toHaveLength(2)
  for (const pause of asked.client.pauses) {
    expect(pause).toBeGreaterThanOrEqual(8000)
    expect(pause).toBeLessThanOrEqual(10_000)
  }
  const inAMinute = new Date(Date.now() + 40_000).toUTCString()
  const dated = await scripted([refuse(503, 'unavailable', { 'retry-after': inAMinute }), done])
  await dated.client.listAgents()
  expect(dated.client.pauses[0]).toBeLessThanOrEqual(50_000)
  expect(dated.client.pauses[0]).toBeGreaterThan(0)
  const backingOff = await scripted([reset])
  await backingOff.client.listAgents({}, { maxRetries: 6 }).catch(() => undefined)
  const longest = [500, 1000, 2000, 4000, 8000, 8000]
  expect(backingOff.client.pauses).toHaveLength(longest.length)
  for (const [index, pause] of backingOff.client.pauses.entries()) {
    expect(pause).toBeGreaterThan(longest[index]! / 2 - 1)
    expect(pause).toBeLessThanOrEqual(longest[index]!)
  }
})

test('a wait of more than a minute is left to the caller', async () => {
  const { client, received } = await scripted([refuse(503, 'unavailable', { 'retry-after': '61' })])
  await expect(client.listAgents()).rejects.toMatchObject({ retryAfter: 61 })
  expect(received).toHaveLength(1)
})

test('an upsert has one key for all its tries, another each time, or the caller’s', async () => {
  const { client, received } = await scripted([reset, reset, done])
  await client.upsertDocuments('dst_1', { documents })
  await client.upsertDocuments('dst_1', { documents })
  const headers = { 'Idempotency-Key': 'import-7' }
  await client.upsertDocuments('dst_1', { documents }, { headers })
  const keys = received.map((request) => request.headers['idempotency-key'])
  expect(keys).toEqual([keys[0], keys[0], keys[0], expect.stringMatching(/^\w{32}$/), 'import-7'])
  expect(keys[3]).not.toBe(keys[0])
})

test('an abort ends a call with its reason, and nothing is sent again', async () => {
  const reason = new Error('The reader has left.')
  const asking = new AbortController()
  const silent = await scripted([() => asking.abort(reason)])
  const asked = silent.client.listAgents({}, { signal: asking.signal })
  await expect(asked).rejects.toBe(reason)
  await expect(silent.client.listAgents({}, { signal: asking.signal })).rejects.toBe(reason)
  expect(silent.received).toHaveLength(1)
})

test.each(['before', 'in'])('an abort %s the wait ends it with its reason', async (when) => {
  const reason = new Error('The reader has left.')
  const waiting = new AbortController()
  class Leaving extends AgentsDatastores {
    protected override pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
      if (when === 'before') waiting.abort(reason)
      const pause = super.pause(milliseconds, signal)
      waiting.abort(reason)
      return pause
    }
  }
  const { url, received } = await startScripted(page(503, { 'retry-after': '60' }))
  const { signal } = waiting
  const waited = new Leaving({ baseUrl: url }).createDatastore({ name: 'library' }, { signal })
  await expect(waited).rejects.toBe(reason)
  expect(received).toHaveLength(1)
})

test('an id that would lead to another path is not sent', async () => {
  const { client, received } = await scripted([done])
  for (const id of ['', '.', '..', undefined as never]) {
    await expect(client.getAgent(id)).rejects.toThrow(`id cannot be '${id}'.`)
  }
  expect(received).toEqual([])
})
