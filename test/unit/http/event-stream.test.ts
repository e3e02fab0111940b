import type { Request, Response } from 'express'
import express from 'express'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { InsufficientScope } from '../../../src/errors/errors.ts'
import type { ServerEvent } from '../../../src/handlers/handler.ts'
import { endWithProblem, sendEvents } from '../../../src/http/event-stream.ts'
import { Deadline } from '../../../src/process/deadline.ts'

/** A server whose one answer is given by hand, and a client that reads it. */
async function open() {
  const exchange = Promise.withResolvers<{ request: Request; response: Response }>()
  const app = express().use((request, response) => exchange.resolve({ request, response }))
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const leaving = new AbortController()
  const reading = fetch(`http://127.0.0.1:${port}/`, { signal: leaving.signal })
  return { ...(await exchange.promise), reading, leave: () => leaving.abort() }
}

test('an event that comes once the client is gone is not written, and ends the events', async () => {
  const { response, reading, leave } = await open()
  let isEnded = false
  async function* events(): AsyncGenerator<ServerEvent> {
    try {
      yield { type: 'sources' }
      await reading
      leave()
      await once(response, 'close')
      yield { type: 'answer' }
    } finally {
      isEnded = true
    }
  }
  await sendEvents(response, events(), new Deadline(60))
  expect(isEnded).toBe(true)
})

test('a failure after the last event is not told', async () => {
  const { request, response, reading } = await open()
  const faults: unknown[] = []
  response.on('error', (error) => faults.push(error))
  async function* events(): AsyncGenerator<ServerEvent> {
    yield { type: 'done' }
  }
  await sendEvents(response, events(), new Deadline(60))
  endWithProblem(new InsufficientScope(['agents:write']), request, response)
  expect(await (await reading).text()).toBe('event: done\ndata: {"type":"done"}\n\n')
  expect(faults).toEqual([])
})

test('an event is one line, also to clients that end lines at Unicode’s separators', async () => {
  const { response, reading } = await open()
  const done = { type: 'done', answer: 'a\u2028b\u2029c\u0085d' }
  async function* events(): AsyncGenerator<ServerEvent> {
    yield done
  }
  await sendEvents(response, events(), new Deadline(60))
  const text = await (await reading).text()
  expect(text.split(/[\n\u0085\u2028\u2029]/)).toHaveLength(4)
  expect(JSON.parse(text.split('data: ')[1]!)).toEqual(done)
})
