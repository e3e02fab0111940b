import type { Deadline } from '../deadline.ts'
import { translated } from './faults.ts'

/** Tells a write which time to stamp its rows with, an ISO 8601 instant. */
export type Stamp = () => string

/**
 * The one way writes reach a table: one after the other, in the order they came. LanceDB's commits
 * to one table conflict when they run side by side, and one that read before another wrote would
 * undo it.
 */
export class WriteQueue {
  #last: Promise<unknown> = Promise.resolve()
  #stamped = 0
  #closed: (() => Error) | undefined

  /**
   * Runs a write when all before it are done, if its request still has time then.
   * @throws what `close` was given, once the queue is closed; ServiceError `request_timeout`
   */
  run<T>(write: (stamp: Stamp) => Promise<T>, deadline?: Deadline): Promise<T> {
    const result = this.#last.then(() => {
      if (this.#closed) throw this.#closed()
      deadline?.begin()
      return translated(write(this.#stamp))
    })
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Refuses everything that has not started yet, with the error `reason` makes. */
  close(reason: () => Error): void {
    this.#closed ??= reason
  }

  /** Settles when nothing is left to write. */
  async idle(): Promise<void> {
    await this.#last
  }

  /**
   * Strictly rising, so that a list in the order of creation never gains anything before a place
   * its reader has passed.
   */
  #stamp: Stamp = () => {
    this.#stamped = Math.max(Date.now(), this.#stamped + 1)
    return new Date(this.#stamped).toISOString()
  }
}
