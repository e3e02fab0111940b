import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { httpLoad, type LoadJob } from '../bench/http-load.ts'
import { type Ask, timedLoad } from '../bench/timed-load.ts'

/** Seconds shorter than the loads here, for no wait is longer than what is left of one. */
const retryAfter = '0.01'

/** What each answer takes by a clock that nothing else moves. */
const answerMilliseconds = 20

type Request = { body: string; message: IncomingMessage }

/** One client's load on a server that answers with this status, and waits that were not made. */
async function loadOn(statusOf: (request: Request) => number, job: Partial<LoadJob> = {}) {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = createServer((message, response) => {
    void text(message).then((body) => {
      vi.advanceTimersByTime(answerMilliseconds)
      response.writeHead(statusOf({ body, message }), { 'Retry-After': retryAfter }).end('so it is')
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
  })
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const target = { url, path: '/query', headers: { 'X-Test': 'yes' }, bodies: ['a', 'b', 'c'] }
  const waits: number[] = []
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds)
  }
  const report = await httpLoad({ ...target, clients: 1, seconds: 0.2, warmUp: 0, ...job }, wait)
  return { report, waits }
}

test('answers are counted and timed, and every client has one connection', async () => {
  const requests: Request[] = []
  const { report } = await loadOn((request) => (requests.push(request), 200), { clients: 4 })
  // Those under way at the end count in part.
  expect(report.rate * 0.2).toBeLessThan(requests.length + 0.001)
  expect(report.rate * 0.2).toBeGreaterThan(requests.length - 4)
  expect(report.p50).toBeLessThanOrEqual(report.p95)
  expect(report.p95).toBeLessThanOrEqual(report.p99)
  expect(report.failures).toEqual({ count: 0, first: undefined })
  expect(report.refusals.count).toBe(0)
  const sockets = new Set(requests.map(({ message }) => message.socket))
  expect(sockets.size).toBe(4)
  const { method, url, headers } = requests[0]!.message
  expect([method, url, headers['x-test']]).toEqual(['POST', '/query', 'yes'])
})

test('an answer on the edge of what counts does so in part, with all the time it took', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const ask: Ask = async () => {
    vi.advanceTimersByTime(300)
    return { kind: 'answer' }
  }
  const report = await timedLoad({ warmUp: 1, seconds: 1 }, [ask])
  expect(report.rate).toBeCloseTo(1 / 0.3, 9)
  expect([report.p50, report.p99]).toEqual([300, 300])
})

test('who is told to come back after the end does not come before', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let asked = 0
  const waits: number[] = []
  const ask: Ask = async () => {
    vi.advanceTimersByTime(300)
    asked += 1
    return { kind: 'refusal', retryAfter: 1 }
  }
  // A timer that ends early.
  const wait = async (milliseconds: number) => void waits.push(milliseconds)
  const report = await timedLoad({ warmUp: 0, seconds: 1 }, [ask], wait)
  expect([asked, waits, report.refusals.count]).toEqual([1, [700], 1])
})

test('all bodies are sent in turn', async () => {
  const bodies: string[] = []
  await loadOn(({ body }) => (bodies.push(body), 200))
  expect(bodies.slice(0, 5)).toEqual(['a', 'b', 'c', 'a', 'b'])
})

test('nothing counts while it warms up', async () => {
  let requests = 0
  const { report } = await loadOn(() => (requests++, 200), { warmUp: 0.1, seconds: 0 })
  expect(requests).toBeGreaterThan(0)
  expect(report.p50).toBeNaN()
})

test('what is not 200 is a failure, of which the first is told', async () => {
  const { report, waits } = await loadOn(({ body }) => (body === 'b' ? 500 : 200))
  expect(report.failures.count).toBeGreaterThan(0)
  expect(report.failures.first).toBe('500 so it is')
  expect(waits).toEqual([])
})

test('503 is a failure to who does not honour Retry-After', async () => {
  const { report } = await loadOn(() => 503)
  expect(report.failures.first).toBe('503 so it is')
  expect(report.refusals.count).toBe(0)
  expect(report.rate).toBe(0)
})

test('who honours Retry-After waits as told, and asks the same again', async () => {
  const bodies: string[] = []
  const isRefused = (body: string) => body === 'b' && !bodies.slice(0, -1).includes('b')
  const { report, waits } = await loadOn(
    ({ body }) => (bodies.push(body), isRefused(body) ? 503 : 200),
    { honoursRetryAfter: true },
  )
  expect(bodies.slice(0, 4)).toEqual(['a', 'b', 'b', 'c'])
  expect(report.failures.count).toBe(0)
  expect(report.refusals.count).toBe(1)
  expect(report.refusals.max).toBe(report.refusals.p50)
  expect([report.refusals.back, report.refusals.again]).toEqual([1, 0])
  expect(waits).toEqual([10])
})

test('nobody waits for longer than the load lasts', async () => {
  const { waits } = await loadOn(() => 503, { honoursRetryAfter: true })
  expect(waits[0]).toBe(10)
  expect(waits.at(-1)).toBeLessThan(10)
})

test('a connection that breaks is a failure', async () => {
  const { report } = await loadOn(({ message }) => (message.socket.destroy(), 200))
  expect(report.failures.count).toBeGreaterThan(0)
  expect(report.rate).toBe(0)
})
