import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

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
    // Some listeners answer at once.
    server.prependListener('request', requestStarted)
    server.prependListener('checkContinue', requestStarted)
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
