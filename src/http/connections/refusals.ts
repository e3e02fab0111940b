import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { contractVersion } from '../../../generated/version.gen.ts'
import { InvalidRequest, ServiceError } from '../../errors/errors.ts'
import { newRequestId } from '../answer/answer.ts'
import { toProblem } from '../answer/problem.ts'

/** Answers with a Problem if Node refuses a connection before there is a request. */
export function answerRefusals(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }, response) => answers.set(socket, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const refusal = toRefusal(error)
    const running = answers.get(socket)
    if (!running || running.writableFinished) refuse(socket, refusal)
    // A whole request came first, and is answered first.
    else if (running.req.complete) running.once('finish', () => refuse(socket, refusal))
    // An answer that has begun takes nothing else.
    else refuse(socket, running.headersSent ? undefined : refusal)
  })
  server.on('connect', (_request, socket) => {
    refuse(socket, new ServiceError('unknown_path', 'The service is no proxy.'))
  })
  server.on('checkExpectation', ({ socket, url = '/' }) => {
    const detail = 'The server knows no Expect but 100-continue.'
    const [path] = url.split('?')
    refuse(socket, new ServiceError('expectation_failed', detail), path)
  })
}

function toRefusal({ code }: NodeJS.ErrnoException): ServiceError | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ServiceError('header_too_large', 'The request line and headers are too large.')
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ServiceError('client_timeout', 'The request did not arrive whole in time.')
  }
  if (code?.startsWith('HPE_')) {
    return new InvalidRequest([{ pointer: '', detail: 'is not an HTTP/1.1 request' }], 'What came')
  }
  return undefined
}

const lingerMilliseconds = 2_000

function refuse(socket: Duplex, error: ServiceError | undefined, path = '/'): void {
  socket.on('error', () => socket.destroy())
  if (!error || !socket.writable) {
    socket.destroy()
    return
  }
  const requestId = newRequestId()
  const problem = toProblem(error, path, requestId)
  const body = JSON.stringify(problem)
  // A client that keeps its side open must not delay the end of the server.
  const cut = setTimeout(() => socket.destroy(), lingerMilliseconds)
  socket.once('close', () => clearTimeout(cut))
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
      `X-Request-Id: ${requestId}`,
      `Contract-Version: ${contractVersion}`,
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-store',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
