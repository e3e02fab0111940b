import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export type Step = (request: IncomingMessage, response: ServerResponse, body: string) => unknown

export type Scripted = {
  url: string
  /** What it was sent so far. */
  received: { method: string | undefined; headers: IncomingMessage['headers']; body: string }[]
}

/** A server that answers by a script, one step a request, and then repeats the last. It ends with the test. */
export async function startScripted(...steps: Step[]): Promise<Scripted> {
  const received: Scripted['received'] = []
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, headers } = request
    const body = await text(request)
    received.push({ method, headers, body })
    await steps[Math.min(received.length, steps.length) - 1]?.(request, response, body)
  }
  const server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

export const answer =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Step =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }

/** A Problem with this code. */
export const refuse = (status: number, code: string, headers: Record<string, string> = {}): Step =>
  answer(
    {
      type: `/problems#${code}`,
      title: 'A problem',
      status,
      detail: 'It did not work.',
      instance: '/',
      code,
      requestId: 'req_0',
    },
    status,
    headers,
  )

/** A page, as a proxy answers it. */
export const page =
  (status: number, headers: Record<string, string> = {}): Step =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers })
    response.end('<h1>A page</h1>')
  }

export const reset: Step = (request) => request.socket.resetAndDestroy()

export const halfAnswer: Step = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{"data":[', () => response.destroy())
}

const hopByHop = new Set(['connection', 'content-length', 'host'])

/** Passes the request on to another server, and its answer back with its tag, unless that is to be lost. */
export const passOn =
  (url: string, isLost = false): Step =>
  async (request, response, body) => {
    const { method = 'GET', headers } = request
    const passed = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' && !hopByHop.has(name) ? [[name, value]] : [],
    )
    const init = { method, headers: passed, ...(body !== '' && { body }) }
    const answered = await fetch(url + request.url, init)
    const sent = await answered.text()
    if (isLost) return request.socket.destroy()
    const tag = answered.headers.get('etag')
    const type = { 'content-type': 'application/json' }
    return response.writeHead(answered.status, { ...type, ...(tag && { etag: tag }) }).end(sent)
  }
