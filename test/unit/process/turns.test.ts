import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { connectionCame, nextTurn, whenFewConnect } from '../../../src/process/fair-shares.ts'

/** Makes so many connections to a port, while who started it waits for that. */
const connectAll = `
  const { connect } = require('node:net')
  const { once } = require('node:events')
  const { workerData: { port, count, done } } = require('node:worker_threads')
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  Promise.all(sockets.map((socket) => once(socket, 'connect'))).then(() => {
    Atomics.store(done, 0, 1)
    Atomics.notify(done, 0)
  })
`

/** A server to which so many connections are made at once; it has taken the first ten of them. */
async function crowdedServer(count: number): Promise<{ taken: () => number }> {
  let taken = 0
  const server: Server = createServer((socket) => {
    taken += 1
    connectionCame()
    onceFinished.push(() => socket.destroy())
  })
  const onceFinished: (() => void)[] = []
  onTestFinished(() => {
    onceFinished.forEach((close) => close())
    server.close()
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: count })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const done = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(connectAll, { eval: true, workerData: { port, count, done } })
  onTestFinished(async () => void (await worker.terminate()))
  await once(worker, 'online')
  Atomics.wait(done, 0, 0)
  while (taken < 10) await once(server, 'connection')
  return { taken: () => taken }
}

test('work waits for all connections that have come, however many', async () => {
  const { taken } = await crowdedServer(50)
  expect(taken()).toBeLessThan(50)
  await whenFewConnect()
  expect(taken()).toBe(50)
})

test('work does not wait for all of a flood', async () => {
  const { taken } = await crowdedServer(400)
  await whenFewConnect()
  expect(taken()).toBeGreaterThan(50)
  expect(taken()).toBeLessThan(200)
})

test('callers go on one after the other, each in a turn of its own', async () => {
  let turn = 0
  let isOver = false
  const counting = (async () => {
    while (!isOver) {
      await setImmediate()
      turn += 1
    }
  })()
  const turns = await Promise.all(Array.from({ length: 5 }, () => nextTurn('a').then(() => turn)))
  isOver = true
  await counting
  expect(new Set(turns).size).toBe(5)
  expect(turns).toEqual(turns.toSorted((a, b) => a - b))
})
