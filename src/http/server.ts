import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Problem } from '../../generated/types.gen.ts'
import { ServiceError, StartupError } from '../errors/errors.ts'
import { connectionCame } from '../process/time-slice.ts'
import { commonHeaders, newRequestId } from './answer.ts'
import { toProblem } from './problem.ts'
import { type ClientError, toRefusal } from './refusal.ts'
import {
  Connections,
  defaultMaxConnections,
  UnreadAnswers,
  type UnreadLimits,
} from './connections.ts'

/** Longer than `Retry-After`, because new connections cost more, and longer than balancers keep theirs. */
const keepAliveMilliseconds = 65_000

const unreadLimits: UnreadLimits = { stalledMilliseconds: 30_000, maxBytes: 256 * 1024 * 1024 }

export type ConnectionLimits = { unread?: UnreadLimits; maxConnections?: number }

export class HttpServer {
  readonly #server: Server

  /** `requestTimeout`, in seconds, is how long a request may take to arrive. */
  constructor(
    app: RequestListener,
    requestTimeout: number,
    { unread = unreadLimits, maxConnections = defaultMaxConnections() }: ConnectionLimits = {},
  ) {
    const listener = sequential(app)
    this.#server = createServer(optionsFor(requestTimeout), listener)
    // `readBody` asks for the body once the key is checked.
    this.#server.on('checkContinue', listener)
    this.#server.on('connection', connectionCame)
    new Connections(maxConnections).watch(this.#server)
    new UnreadAnswers(unread).watch(this.#server)
    answerRefusals(this.#server)
  }

  /** Listens and returns the address. @throws StartupError naming the wrong setting */
  async listen(port: number, host: string): Promise<string> {
    try {
      this.#server.listen(port, host)
      await once(this.#server, 'listening')
    } catch (cause) {
      throw listenError(cause, port, host)
    }
    // Accepting a connection may fail, as without memory. The next is tried.
    this.#server.on('error', () => undefined)
    const { address, port: taken, family } = this.#server.address() as AddressInfo
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`
  }

  /** Stops accepting connections, and cuts off requests that run longer than the grace. */
  async stop(graceMilliseconds: number): Promise<void> {
    const idle = setInterval(() => this.#server.closeIdleConnections(), 50)
    const cut = setTimeout(() => this.#server.closeAllConnections(), graceMilliseconds)
    const closed = once(this.#server, 'close')
    this.#server.close()
    await closed
    clearInterval(idle)
    clearTimeout(cut)
  }
}

const optionsFor = (requestTimeout: number): ServerOptions => ({
  requestTimeout: requestTimeout * 1000,
  headersTimeout: Math.min(60, requestTimeout) * 1000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: keepAliveMilliseconds,
  // A `source` of 2,048 characters takes up to 24 KiB in a query.
  maxHeaderSize: 32 * 1024,
  // The app answers for a missing Host.
  requireHostHeader: false,
})

/** Handles the pipelined requests of a connection one after the other. */
const sequential =
  (app: RequestListener): RequestListener =>
  (request, response) => {
    if (response.socket) app(request, response)
    else response.once('socket', () => app(request, response))
  }

function listenError(cause: unknown, port: number, host: string): unknown {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'EADDRINUSE') {
    return new StartupError(`PORT ${port} is taken on ${host}. Set PORT to another.`, { cause })
  }
  if (code === 'EACCES') return new StartupError(`PORT ${port} needs more rights.`, { cause })
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL' || code === 'EAI_AGAIN') {
    return new StartupError(`HOST ${host} is no address of this machine.`, { cause })
  }
  return cause
}

/** Answers with a Problem if Node refuses a connection before there is a request. */
function answerRefusals(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>()
  const note: RequestListener = ({ socket }, response) => answers.set(socket, response)
  server.on('request', note).on('checkContinue', note)
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
