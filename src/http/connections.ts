import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Bounds the open connections. Past the limit, the longest idle one is closed. */
export class Connections {
  readonly #max: number
  #open = 0
  readonly #idle = new Set<Socket>()

  constructor(max: number) {
    this.#max = max
  }

  watch(server: Server): void {
    server.on('connection', (socket) => this.#opened(socket))
    const requestStarted = ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#idle.delete(socket)
      response.once('close', () => {
        if (!socket.destroyed) this.#idle.add(socket)
      })
    }
    onRequests(server, requestStarted)
  }

  #opened(socket: Socket): void {
    this.#open += 1
    socket.once('close', () => {
      this.#open -= 1
      this.#idle.delete(socket)
    })
    if (this.#open > this.#max) this.#closeOne(socket)
    if (!socket.destroyed) this.#idle.add(socket)
  }

  #closeOne(newest: Socket): void {
    const [longestIdle = newest] = this.#idle
    this.#idle.delete(longestIdle)
    longestIdle.destroy()
  }
}

/** Before other listeners, because some answer at once. */
function onRequests(server: Server, started: RequestListener): void {
  server.prependListener('request', started)
  server.prependListener('checkContinue', started)
}

/** Once told to, ends each connection with its answer, so that no client sends another request on it. */
export class LastAnswers {
  readonly #open = new Set<ServerResponse>()
  #isEnding = false

  watch(server: Server): void {
    onRequests(server, (_request, response) => {
      this.#open.add(response)
      response.once('close', () => this.#open.delete(response))
      if (this.#isEnding) response.shouldKeepAlive = false
    })
  }

  end(): void {
    this.#isEnding = true
    for (const response of this.#open) response.shouldKeepAlive = false
  }
}

export function newestAnswers(server: Server): WeakMap<Duplex, ServerResponse> {
  const answers = new WeakMap<Duplex, ServerResponse>()
  onRequests(server, ({ socket }, response) => answers.set(socket, response))
  return answers
}

/** Handles the pipelined requests of a connection one after the other. */
export const sequential =
  (app: RequestListener): RequestListener =>
  (request, response) => {
    if (response.socket) app(request, response)
    else response.once('socket', () => app(request, response))
  }

/** File descriptors left to the store, or half of all. */
const storeDescriptors = 4_096

export function defaultMaxConnections(): number {
  const limit = openFilesLimit()
  return limit - Math.min(storeDescriptors, Math.ceil(limit / 2))
}

function openFilesLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity)
  } catch {
    return Infinity
  }
}

export type UnreadLimits = { stalledMilliseconds: number; maxBytes: number }

type Unread = { socket: Socket; bytes: number; since: number }

export class UnreadAnswers {
  readonly #limits: UnreadLimits
  readonly #unread = new Map<ServerResponse, Unread>()

  constructor(limits: UnreadLimits) {
    this.#limits = limits
  }

  watch(server: Server): void {
    onRequests(server, (_request, response) => this.#track(response))
  }

  #track(response: ServerResponse): void {
    const hold = () => this.#hold(response)
    // From here on only the reader is waited for. A writer of events emits `blocked`.
    response.once('prefinish', hold).on('blocked', hold)
    response.on('drain', () => this.#release(response))
    response.once('close', () => this.#unread.delete(response))
  }

  #hold(response: ServerResponse): void {
    const { socket } = response
    if (!socket) return
    // Node sends the last write of a stream only after this.
    const bytes = unsent(socket)
    if (bytes === 0 && !response.writableNeedDrain) return
    this.#unread.set(response, { socket, bytes, since: performance.now() })
    // Node closes a connection after two of these in a row without progress.
    response.setTimeout(this.#limits.stalledMilliseconds / 2)
    this.#makeRoom()
  }

  #release(response: ServerResponse): void {
    if (this.#unread.delete(response)) response.setTimeout(0)
  }

  #makeRoom(): void {
    for (const unread of this.#unread.values()) refresh(unread)
    let bytes = this.#unread.values().reduce((sum, unread) => sum + unread.bytes, 0)
    if (bytes <= this.#limits.maxBytes) return
    for (const [response, unread] of [...this.#unread].toSorted(
      ([, a], [, b]) => a.since - b.since,
    )) {
      if (bytes <= this.#limits.maxBytes) return
      bytes -= unread.bytes
      this.#unread.delete(response)
      unread.socket.destroy()
    }
  }
}

function refresh(unread: Unread): void {
  const bytes = unsent(unread.socket)
  if (bytes < unread.bytes) unread.since = performance.now()
  unread.bytes = bytes
}

/** Node's internal count. The public one falls only once all bytes are sent. */
type Handle = { writeQueueSize?: number } | null

function unsent(socket: Socket): number {
  const handle: Handle = Reflect.get(socket, '_handle')
  return handle?.writeQueueSize ?? socket.writableLength
}
