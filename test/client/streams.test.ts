import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ConnectionError, ProblemError, TimeoutError } from '../../client/src/index.ts'
import { HastyClient } from '../support/hasty-client.ts'
import { refuse, startScripted, type Step } from '../support/scripted.ts'

// Time passes when a test says so.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterAll(() => vi.useRealTimers())

const sources = { type: 'sources', sources: [] }
const problem = { code: 'chat_failed', requestId: 'req_0', status: 502, detail: 'It did not work.' }

/** Events, and what comes after them. */
const events =
  (sent: object[], then: (response: ServerResponse) => void = () => undefined): Step =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    response.write(sent.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
    then(response)
  }

/** Resolves once the beginning of an answer has come. */
let begun: PromiseWithResolvers<void>

async function streamed(steps: Step[], options: { timeout?: number; signal?: AbortSignal } = {}) {
  const { url, received } = await startScripted(...steps)
  begun = Promise.withResolvers()
  const noting: typeof fetch = (...request) => {
    const answer = fetch(...request)
    void answer.then(() => begun.resolve())
    return answer
  }
  const client = new HastyClient({ baseUrl: url, apiKey: 'key', fetch: noting })
  return { received, stream: client.streamAgent('agt_1', { query: 'When?' }, options) }
}

test('a stream that is refused for now is asked for again', async () => {
  const busy = refuse(503, 'overloaded', { 'retry-after': '0' })
  const { received, stream } = await streamed([busy, events([sources, { type: 'done' }])])
  const types: string[] = []
  for await (const { type } of stream) types.push(type)
  expect(types).toEqual(['sources', 'done'])
  expect(received.map(({ body }) => JSON.parse(body))).toEqual(
    received.map(() => ({ query: 'When?', streaming: true })),
  )
})

const written = (lineEnd: string, space: string): string =>
  [
    '﻿: hello',
    `data:${space}{"type":"sources",`,
    `data:${space}"sources":[]}`,
    '',
    'event: done',
    'retry:9',
  ]
    .concat(`data:${space}{"type":"done"}`, '', '')
    .join(lineEnd)

test.each(['\n', '\r\n', '\r'])(
  'a stream is read by the grammar of its standard, with lines that end in %j',
  async (lineEnd) => {
    for (const space of [' ', '']) {
      const { stream } = await streamed([
        (_, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          const text = written(lineEnd, space)
          for (let start = 0; start < text.length; start += 3) {
            response.write(text.slice(start, start + 3))
          }
          response.end()
        },
      ])
      const read: object[] = []
      for await (const event of stream) read.push(event)
      expect(read).toEqual([sources, { type: 'done' }])
    }
  },
)

test.each<[string, Step, new (...args: never[]) => Error, object]>([
  ['a Problem', refuse(404, 'not_found'), ProblemError, { code: 'not_found' }],
  [
    'a Problem as its last event',
    events([sources, { type: 'error', problem }]),
    ProblemError,
    { code: 'chat_failed' },
  ],
  ['an end before its end', events([sources], (response) => response.end()), ConnectionError, {}],
  ['a cut', events([sources], (response) => response.destroy()), ConnectionError, {}],
])(
  'a stream that ends in %s throws it, and is not asked for again',
  async (_, step, type, error) => {
    const { received, stream } = await streamed([step])
    const read = async () => {
      for await (const event of stream) expect(event).toEqual(sources)
    }
    const thrown = await read().catch((reason: unknown) => reason)
    expect(thrown).toBeInstanceOf(type)
    expect(thrown).toMatchObject(error)
    expect(received).toHaveLength(1)
  },
)

test.each([0, 1])('a stream that is silent after %i events is given up', async (count) => {
  const { stream } = await streamed([events([sources].slice(0, count))], { timeout: 1000 })
  if (count > 0) await stream.next()
  const next = stream.next()
  await begun.promise
  await setImmediate()
  vi.advanceTimersByTime(1000)
  await expect(next).rejects.toThrow(TimeoutError)
})

test('the time in which a reader does something else is not the server’s', async () => {
  const rest = Promise.withResolvers<void>()
  const later = (response: ServerResponse) =>
    void rest.promise.then(() => response.end(`data: {"type":"done"}\n\n`))
  const { stream } = await streamed([events([sources], later)], { timeout: 1000 })
  await stream.next()
  vi.advanceTimersByTime(10_000)
  rest.resolve()
  expect(await stream.next()).toMatchObject({ value: { type: 'done' } })
})

test('an abort ends a stream with its reason, and so the server’s work', async () => {
  const reason = new Error('The reader has left.')
  const reading = new AbortController()
  const ended = Promise.withResolvers<void>()
  const step = events([sources], (response) => response.once('close', ended.resolve))
  const { stream } = await streamed([step], { signal: reading.signal })
  await stream.next()
  reading.abort(reason)
  await expect(stream.next()).rejects.toBe(reason)
  await ended.promise
})

test('a reader who breaks off ends the server’s work', async () => {
  const ended = Promise.withResolvers<void>()
  const { stream } = await streamed([
    events([sources], (response) => response.once('close', ended.resolve)),
  ])
  for await (const _ of stream) break
  await ended.promise
})
