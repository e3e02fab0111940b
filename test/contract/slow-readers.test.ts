import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Router } from 'express'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/http/app.ts'
import { TooManyRequests } from '../../src/errors/errors.ts'
import { Answers } from '../../src/http/admission.ts'
import { Metrics } from '../../src/process/metrics.ts'
import { Connections, UnreadAnswers, type UnreadLimits } from '../../src/http/connections.ts'
import { HttpServer } from '../../src/http/server.ts'
import { sendEvents } from '../../src/http/event-stream.ts'
import { Deadline } from '../../src/process/deadline.ts'

/** More than the system itself takes in for a connection. */
const answerBytes = 16 * 1024 * 1024
const answer = Buffer.alloc(answerBytes, 'x')
const never = 3_600_000

async function startServer(limits: UnreadLimits) {
  const closed: string[] = []
  const server = createServer((request, response) => {
    const name = request.url ?? ''
    response.once('close', () => {
      if (!response.writableFinished) closed.push(name)
    })
    response.end(answer)
  })
  new UnreadAnswers(limits).watch(server)
  return { ...(await listening(server)), closed }
}

async function listening(server: Server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port }
}

/** A client that has asked, and reads nothing until it is told to. */
async function ask(port: number, path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  return socket
}

/** Reads so many bytes, and no more until asked again. */
async function read(socket: Socket, bytes: number): Promise<number> {
  let count = 0
  while (count < bytes) {
    const piece: Buffer | null = socket.read()
    if (piece) count += piece.length
    else if (socket.readableEnded || socket.destroyed) break
    else await Promise.race([once(socket, 'readable'), once(socket, 'close')])
  }
  return count
}

describe('an answer that nobody reads', () => {
  test('is closed once it makes no progress', async () => {
    const { port, closed } = await startServer({ stalledMilliseconds: 200, maxBytes: Infinity })
    const sockets = await Promise.all(['/a', '/b', '/c'].map((path) => ask(port, path)))
    await expect.poll(() => closed.toSorted()).toEqual(['/a', '/b', '/c'])
    for (const socket of sockets) socket.destroy()
  })

  test('is closed though part of it was read', async () => {
    const { port, closed } = await startServer({ stalledMilliseconds: 200, maxBytes: Infinity })
    const socket = await ask(port, '/a')
    expect(await read(socket, 1_000_000)).toBeGreaterThanOrEqual(1_000_000)
    await expect.poll(() => closed).toEqual(['/a'])
    socket.destroy()
  })

  test('is closed where all hold too much, those first that have waited longest', async () => {
    const maxBytes = 3 * answerBytes
    const { port, closed } = await startServer({ stalledMilliseconds: never, maxBytes })
    const sockets: Socket[] = []
    for (const path of ['/1', '/2', '/3', '/4', '/5', '/6']) sockets.push(await ask(port, path))
    await expect.poll(() => closed.length).toBeGreaterThanOrEqual(2)
    expect(closed).toEqual(['/1', '/2', '/3'].slice(0, closed.length))
    for (const socket of sockets) socket.destroy()
  })

  test('is kept where it is read, however early it came', async () => {
    const maxBytes = 3 * answerBytes
    const { port, closed } = await startServer({ stalledMilliseconds: never, maxBytes })
    const reader = await ask(port, '/reader')
    const sockets: Socket[] = []
    let bytes = await read(reader, 1)
    for (const path of ['/1', '/2', '/3', '/4', '/5', '/6']) {
      sockets.push(await ask(port, path))
      bytes += await read(reader, 1_500_000)
    }
    await expect.poll(() => closed.length).toBeGreaterThanOrEqual(2)
    expect(closed).not.toContain('/reader')
    bytes += await read(reader, answerBytes - bytes)
    expect(bytes).toBeGreaterThanOrEqual(answerBytes)
    for (const socket of [...sockets, reader]) socket.destroy()
  })
})

describe('answers that nobody reads', () => {
  /** The path names the workspace; what is refused is answered 429. */
  async function startCounting(maxBytes: number) {
    const answers = new Answers(maxBytes)
    const made: string[] = []
    const server = createServer((request, response) => {
      const workspace = request.url ?? ''
      const write = async () => void response.end(answer)
      answers.read(workspace, response, write).then(
        () => made.push(workspace),
        (error: unknown) => {
          expect(error).toBeInstanceOf(TooManyRequests)
          response.writeHead(429).end()
        },
      )
    })
    return { ...(await listening(server)), made }
  }

  const statusOf = async (socket: Socket): Promise<string> => {
    await once(socket, 'readable')
    return String(socket.read()).slice(9, 12)
  }

  test('count for their workspace alone, until they are read or closed', async () => {
    const { port, made } = await startCounting(4 * answerBytes)
    const unread: Socket[] = []
    for (let n = 1; n <= 2; n++) {
      unread.push(await ask(port, '/a'))
      await expect.poll(() => made.length).toBe(n)
    }
    const refused = await ask(port, '/a')
    expect(await statusOf(refused)).toBe('429')
    const other = await ask(port, '/b')
    expect(await statusOf(other)).toBe('200')
    unread[0]!.destroy()
    await expect
      .poll(async () => {
        const again = await ask(port, '/a')
        const status = await statusOf(again)
        again.destroy()
        return status
      })
      .toBe('200')
    for (const socket of [...unread, refused, other]) socket.destroy()
  })

  test('are made a few at a time, and each counts before the next is made', async () => {
    const answers = new Answers(answerBytes)
    let running = 0
    let most = 0
    const server = createServer((_request, response) => {
      const write = async () => {
        most = Math.max(most, ++running)
        await new Promise(setImmediate)
        running -= 1
        response.end(answer)
      }
      answers.read('a', response, write).catch(() => response.writeHead(429).end())
    })
    const { port } = await listening(server)
    const sockets = await Promise.all(Array.from({ length: 60 }, () => ask(port, '/')))
    const statuses = await Promise.all(sockets.map(statusOf))
    expect(statuses.filter((status) => status === '200').length).toBeLessThan(10)
    expect(most).toBeLessThan(10)
    for (const socket of sockets) socket.destroy()
  })
})

test('a stream that nobody reads is closed, and no more is made for it', async () => {
  let made = 0
  let isOver = false
  async function* events() {
    try {
      for (; ; made++) yield { type: 'answer', delta: 'x'.repeat(100_000) }
    } finally {
      isOver = true
    }
  }
  const app = createApp({
    contract: (_request, response) => sendEvents(response, events(), new Deadline(60)),
    mcp: Router(),
    pages: Router(),
    log: pino({ level: 'silent' }),
    metrics: new Metrics(),
  })
  const unread = { stalledMilliseconds: 200, maxBytes: Infinity }
  const server = new HttpServer(app, 60, { unread })
  const url = await server.listen(0, '127.0.0.1')
  afterAll(() => server.stop(0))
  const socket = await ask(Number(new URL(url).port), '/')
  await expect.poll(() => isOver).toBe(true)
  // Some megabytes are with the system.
  expect(made).toBeLessThan(1_000)
  socket.destroy()
})

test('requests on one connection wait until the answers before are read', async () => {
  const begun: string[] = []
  const server = new HttpServer((request, response) => {
    begun.push(request.url ?? '')
    response.end(answer)
  }, 60)
  const url = await server.listen(0, '127.0.0.1')
  afterAll(() => server.stop(0))
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause()
  const requests = ['/1', '/2', '/3'].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  socket.write(requests.join(''))
  await expect.poll(() => begun).toEqual(['/1'])
  await read(socket, 3 * answerBytes)
  expect(begun).toEqual(['/1', '/2', '/3'])
  socket.destroy()
})

describe('a connection too many', () => {
  /** A server that takes so many, and answers when it is told to. */
  async function startFull(most: number) {
    const begun: { name: string; finish: () => void }[] = []
    const server = createServer((request, response) => {
      begun.push({ name: request.url ?? '', finish: () => response.end('done') })
    })
    new Connections(most).watch(server)
    return { ...(await listening(server)), begun }
  }

  async function open(port: number): Promise<Socket> {
    const socket = connect(port, '127.0.0.1').resume()
    socket.on('error', () => socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const isClosed = (socket: Socket) => socket.closed || socket.readableEnded

  test('takes the place of the one that is idle longest', async () => {
    const { port, begun } = await startFull(3)
    const [first, second, third] = [await open(port), await open(port), await open(port)]
    first.write('GET /first HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => begun.length).toBe(1)
    const fourth = await open(port)
    await expect
      .poll(() => [first, second, third, fourth].map(isClosed))
      .toEqual([false, true, false, false])
    begun[0]!.finish()
    await once(first, 'data')
    const fifth = await open(port)
    await expect
      .poll(() => [first, third, fourth, fifth].map(isClosed))
      .toEqual([false, true, false, false])
    for (const socket of [first, fourth, fifth]) socket.destroy()
  })

  test('is closed itself where all others are at work', async () => {
    const { port, begun } = await startFull(2)
    const busy = [await open(port), await open(port)]
    for (const socket of busy) socket.write('GET /busy HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => begun.length).toBe(2)
    const late = await open(port)
    await expect.poll(() => [...busy, late].map(isClosed)).toEqual([false, false, true])
    for (const socket of busy) socket.destroy()
  })
})
