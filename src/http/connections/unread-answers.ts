import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type UnreadLimits = {
  stalledMilliseconds: number
  maxBytes: number
}

type Unread = { socket: Socket; bytes: number; since: number }

/** Closes connections whose answers are not read. */
export class UnreadAnswers {
  readonly #limits: UnreadLimits
  readonly #unread = new Set<Unread>()

  constructor(limits: UnreadLimits) {
    this.#limits = limits
  }

  watch(server: Server): void {
    // Some listeners answer at once.
    for (const event of ['request', 'checkContinue']) {
      server.prependListener(event, (_request, response: ServerResponse) => this.#track(response))
    }
  }

  #track(response: ServerResponse): void {
    // Only the reader is waited for now.
    response.once('prefinish', () => {
      const { socket } = response
      const bytes = socket ? unsent(socket) : 0
      if (socket && bytes > 0) this.#hold(response, { socket, bytes, since: performance.now() })
    })
  }

  #hold(response: ServerResponse, unread: Unread): void {
    this.#unread.add(unread)
    response.once('close', () => this.#unread.delete(unread))
    // Node closes a connection when two of these in a row see no progress.
    response.setTimeout(this.#limits.stalledMilliseconds / 2)
    this.#makeRoom()
  }

  #makeRoom(): void {
    for (const unread of this.#unread) refresh(unread)
    let bytes = this.#unread.values().reduce((sum, unread) => sum + unread.bytes, 0)
    if (bytes <= this.#limits.maxBytes) return
    for (const unread of [...this.#unread].toSorted((a, b) => a.since - b.since)) {
      if (bytes <= this.#limits.maxBytes) return
      bytes -= unread.bytes
      this.#unread.delete(unread)
      unread.socket.destroy()
    }
  }
}

function refresh(unread: Unread): void {
  const bytes = unsent(unread.socket)
  if (bytes < unread.bytes) unread.since = performance.now()
  unread.bytes = bytes
}

/** Node's internal count: the public one falls only once all bytes are sent. */
type Handle = { writeQueueSize?: number } | null

function unsent(socket: Socket): number {
  const handle: Handle = Reflect.get(socket, '_handle')
  return handle?.writeQueueSize ?? socket.writableLength
}
