import type { Log } from '../process/log.ts'
import type { Messages } from '../store/messages/messages.ts'

const dayMilliseconds = 24 * 3_600_000
const intervalMilliseconds = 3_600_000

/** Deletes conversations whose last message is older than so many days, now and from time to time. */
export class Retention {
  readonly #messages: Messages
  readonly #days: number
  readonly #log: Log
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined

  constructor(messages: Messages, days: number, log: Log) {
    this.#messages = messages
    this.#days = days
    this.#log = log
  }

  start(): void {
    this.#begin()
    this.#timer = setInterval(() => this.#begin(), intervalMilliseconds).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  #begin(): void {
    this.#running = this.#removeOld()
  }

  async #removeOld(): Promise<void> {
    const oldest = new Date(Date.now() - this.#days * dayMilliseconds).toISOString()
    await this.#messages.removeOlder(oldest).catch((err: unknown) => {
      this.#log.warn({ err }, 'old conversations are still there')
    })
  }
}
