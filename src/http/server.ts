import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartupError } from '../errors/errors.ts'
import { connectionCame } from '../process/fair-shares.ts'
import { answerRefusals } from './refusal.ts'
import {
  Connections,
  defaultMaxConnections,
  LastAnswers,
  sequential,
  UnreadAnswers,
  type UnreadLimits,
} from './connections.ts'

/** Longer than `Retry-After`, because new connections cost more, and longer than balancers keep theirs. */
const keepAliveMilliseconds = 65_000

const unreadLimits: UnreadLimits = { stalledMilliseconds: 30_000, maxBytes: 256 * 1024 * 1024 }

export type ConnectionLimits = { unread?: UnreadLimits; maxConnections?: number }

export class HttpServer {
  readonly #server: Server
  readonly #lastAnswers = new LastAnswers()

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
    this.#lastAnswers.watch(this.#server)
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
    this.#lastAnswers.end()
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
