import {
  type IncomingMessage,
  METHODS,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Duplex } from 'node:stream'
import type { Problem } from '../../generated/types.gen.ts'
import { InvalidRequest, ServiceError } from '../errors/errors.ts'
import { commonHeaders, newRequestId } from './answer.ts'
import { newestAnswers } from './connections.ts'
import { toProblem } from './problem.ts'

/** Answers with a Problem if Node refuses a connection before there is a request. */
export function answerRefusals(server: Server): void {
  const answers = newestAnswers(server)
  server.on('clientError', (error: ClientError, socket) => {
    const refusal = toRefusal(error)
    const running = answers.get(socket)
    const isAnswered = running?.writableFinished
    // The rest of a request that was refused before.
    if (isAnswered && !running.req.complete) refuse(socket, undefined)
    else if (!running || isAnswered) refuse(socket, refusal)
    // A whole request came first, and is answered first.
    else if (running.req.complete) running.once('finish', () => refuse(socket, refusal))
    // An answer that has begun takes nothing else.
    else
      refuse(socket, running.headersSent ? undefined : refusal, pathOf(running.req), idOf(running))
  })
  server.on('connect', (_request, socket) => {
    refuse(socket, new ServiceError('unknown_path', 'The service is no proxy.'))
  })
  server.on('checkExpectation', (request) => {
    const detail = 'The server knows no Expect but 100-continue.'
    refuse(request.socket, new ServiceError('expectation_failed', detail), pathOf(request))
  })
}

const pathOf = ({ url }: IncomingMessage): string | undefined => url?.split('?', 1)[0]

/** That of its line in the log. */
const idOf = (response: ServerResponse): string | undefined =>
  response.getHeader('X-Request-Id')?.toString()

const lingerMilliseconds = 2_000

function refuse(
  socket: Duplex,
  error: ServiceError | undefined,
  path = '/',
  requestId = newRequestId(),
): void {
  socket.on('error', () => socket.destroy())
  if (!error || !socket.writable) return void socket.destroy()
  // A client that keeps its side open must not delay the end of the server.
  const cut = setTimeout(() => socket.destroy(), lingerMilliseconds)
  socket.once('close', () => clearTimeout(cut))
  socket.end(rawAnswer(toProblem(error, path, requestId)))
}

function rawAnswer(problem: Problem): string {
  const { status, requestId } = problem
  const body = JSON.stringify(problem)
  const headers = {
    ...commonHeaders(requestId),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n')
}

type ClientError = NodeJS.ErrnoException & { rawPacket?: Buffer }

/** Undefined where there is nobody to answer. */
function toRefusal({ code, rawPacket }: ClientError): ServiceError | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ServiceError('header_too_large', 'The request line and headers are too large.')
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ServiceError('client_timeout', 'The request did not arrive whole in time.')
  }
  const method = code === 'HPE_INVALID_METHOD' ? unknownMethod(rawPacket) : undefined
  if (method !== undefined) return unknown(method)
  if (code?.startsWith('HPE_')) {
    return new InvalidRequest([{ pointer: '', detail: 'is not an HTTP/1.1 request' }], 'What came')
  }
  return undefined
}

const maxLength = 1_024
const requestLine = /^([\w!#$%&'*+.^`|~-]{1,64}) [^ \r\n]+ HTTP\/1\.[01]\r\n/

/** Also undefined if the first of several requests is right, because then another one is wrong. */
function unknownMethod(packet: Buffer | undefined): string | undefined {
  const method = requestLine.exec(packet?.toString('latin1', 0, maxLength) ?? '')?.[1]
  return method === undefined || METHODS.includes(method) ? undefined : method
}

function unknown(method: string): ServiceError {
  const inCapitals = method.toUpperCase()
  const meant = METHODS.includes(inCapitals) ? `; did you mean ${inCapitals}?` : ''
  return new InvalidRequest([{ pointer: '', detail: `has no method ${method}${meant}` }], 'HTTP')
}
