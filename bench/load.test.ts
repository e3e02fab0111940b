import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { callLoad, failuresOf, httpLoad, inTurn } from './load.ts'
import { cellOf, takeTurns } from './contenders.ts'

/** A server that answers each body with this status, and what it was sent. */
async function serverOf(statusOf: (body: string) => number) {
  const bodies: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((message, response) => {
    sockets.add(message.socket)
    void text(message).then((body) => {
      bodies.push(body)
      response.writeHead(message.headers['x-test'] === 'yes' ? statusOf(body) : 400).end('{}')
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const target = {
    url,
    path: '/query',
    headers: { 'X-Test': 'yes' },
    next: inTurn(['a', 'b', 'c']),
  }
  return { target, bodies, sockets }
}

const pace = { seconds: 0.3, warmUp: 0.1 }

test('clients send bodies in turn, each on its own connection, and successes are timed', async () => {
  const { target, bodies, sockets } = await serverOf(() => 200)
  const load = await httpLoad(target, 4, pace)
  expect(sockets.size).toBe(4)
  const counts = Object.values(Object.groupBy(bodies, (body) => body)).map((same) => same!.length)
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThan(5)
  expect(load.rate).toBeGreaterThan(0)
  expect(load.rate * pace.seconds).toBeLessThan(bodies.length)
  expect(load.p50).toBeLessThanOrEqual(load.p99)
  expect(failuresOf(load)).toBe(0)
})

test('another status than 200 is counted apart, and ends what takes turns', async () => {
  const { target } = await serverOf((body) => (body === 'b' ? 500 : 200))
  const load = (clients: number) => httpLoad(target, clients, pace)
  expect([...(await load(1)).outcomes.keys()].toSorted()).toEqual(['200', '500'])
  await expect(takeTurns([cellOf({ name: 'it', load }, 1)], 1)).rejects.toThrow('it: ')
})

test('what is paced goes by the clock, however long each call takes', async () => {
  let calls = 0
  const slow = async () => {
    const number = ++calls
    await setTimeout(60)
    if (number === 3) throw new Error('no')
  }
  const load = await callLoad(slow, 20, { seconds: 0.5, warmUp: 0 }, 50)
  expect(calls).toBeLessThanOrEqual(25)
  expect(load.p50).toBeGreaterThan(55)
  expect(failuresOf(load)).toBe(1)
})

test('contenders take turns at each number of clients, the fewest first', async () => {
  const turns: string[] = []
  const load = (name: string) => async (clients: number) => {
    turns.push(`${name} ${clients}`)
    return { rate: 1, p50: 1, p95: 1, p99: 1, max: 1, outcomes: new Map([['200', [1]]]) }
  }
  const contenders = ['one', 'other'].map((name) => ({ name, load: load(name) }))
  const round = ['one 1', 'other 1', 'one 16', 'other 16']
  await takeTurns(
    contenders.flatMap((contender) => [1, 16].map((clients) => cellOf(contender, clients))),
    2,
  )
  expect(turns).toEqual([...round, ...round])
})
