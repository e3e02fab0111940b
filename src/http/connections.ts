import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Bounds how many connections are open: where there are too many, the longest idle one is closed. */
export class Connections {
  readonly #most: number
  #open = 0
  /** Those without a request under way, the longest idle first. */
  readonly #idle = new Set<Socket>()

  constructor(most: number) {
    this.#most = most
  }

  watch(server: Server): void {
    server.on('connection', (socket) => this.#opened(socket))
    const begun = ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#idle.delete(socket)
      response.once('close', () => {
        if (!socket.destroyed) this.#idle.add(socket)
      })
    }
    // First, for some are answered at once.
    server.prependListener('request', begun)
    server.prependListener('checkContinue', begun)
  }

  #opened(socket: Socket): void {
    this.#open += 1
    socket.once('close', () => {
      this.#open -= 1
      this.#idle.delete(socket)
    })
    if (this.#open > this.#most) this.#closeOne(socket)
    if (!socket.destroyed) this.#idle.add(socket)
  }

  /** Where all are at work, it is the new one that goes. */
  #closeOne(newest: Socket): void {
    const [longestIdle = newest] = this.#idle
    this.#idle.delete(longestIdle)
    longestIdle.destroy()
  }
}

/** At most so many descriptors are kept for the store, and half of them where there are fewer. */
const keptForStore = 4_096

/** How many connections leave the store its descriptors; as many as come where nothing tells the limit. */
export function mostConnections(): number {
  const limit = openFilesLimit()
  return limit - Math.min(keptForStore, Math.ceil(limit / 2))
}

function openFilesLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity)
  } catch {
    return Infinity
  }
}
