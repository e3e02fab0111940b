import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type UnreadLimits = {
  /** How long an answer waits for its reader without any progress. */
  stalledMilliseconds: number
  /** What all answers may hold that nobody has read. */
  maxBytes: number
}

/** What an answer has left, and when that was last less than before. */
type Unread = { socket: Socket; bytes: number; since: number }

/** Closes the connections of those who do not read their answers. */
export class UnreadAnswers {
  readonly #limits: UnreadLimits
  readonly #unread = new Set<Unread>()

  constructor(limits: UnreadLimits) {
    this.#limits = limits
  }

  watch(server: Server): void {
    // First, for some are answered at once.
    for (const event of ['request', 'checkContinue']) {
      server.prependListener(event, (_request, response: ServerResponse) => this.#await(response))
    }
  }

  #await(response: ServerResponse): void {
    // From here on nothing but its reader is waited for.
    response.once('prefinish', () => {
      const { socket } = response
      const bytes = socket ? unsent(socket) : 0
      if (socket && bytes > 0) this.#hold(response, { socket, bytes, since: performance.now() })
    })
  }

  #hold(response: ServerResponse, unread: Unread): void {
    this.#unread.add(unread)
    response.once('close', () => this.#unread.delete(unread))
    // Node compares at each end of that time what is left, and closes where it is as much as at the last.
    response.setTimeout(this.#limits.stalledMilliseconds / 2)
    this.#makeRoom()
  }

  /** Those that have waited longest without progress go first. */
  #makeRoom(): void {
    for (const unread of this.#unread) lookAgain(unread)
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

function lookAgain(unread: Unread): void {
  const bytes = unsent(unread.socket)
  if (bytes < unread.bytes) unread.since = performance.now()
  unread.bytes = bytes
}

/** Node's own count of what the system has not taken; the public one only falls once all is taken. */
type Handle = { writeQueueSize?: number } | null

function unsent(socket: Socket): number {
  const handle: Handle = Reflect.get(socket, '_handle')
  return handle?.writeQueueSize ?? socket.writableLength
}
