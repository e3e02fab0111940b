import { Abandoned, ServiceError } from './errors.ts'

/**
 * Until when a request that has arrived may still store something. Once a write has begun it is waited for, however
 * long it takes; before that, the request ends when its time is up, and nothing was stored.
 */
export class Deadline {
  readonly #controller = new AbortController()
  #timer: NodeJS.Timeout | undefined
  readonly #seconds: number
  readonly #isWrite: boolean

  constructor(seconds: number, isWrite = true) {
    this.#seconds = seconds
    this.#isWrite = isWrite
  }

  /** To be called when the request has arrived; how long that may take is the server's concern. */
  start(): void {
    this.#timer = setTimeout(() => this.#controller.abort(this.#error()), this.#seconds * 1000)
  }

  /** To be called when nobody waits for the answer any more, where nothing is written. */
  abandon(): void {
    this.#controller.abort(new Abandoned())
  }

  /** Aborted when time is up or nobody waits, so that work for nobody stops. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /**
   * To be called right before the first write: from here on the request is seen through.
   * @throws ServiceError `request_timeout` when time is up
   */
  begin(): void {
    this.signal.throwIfAborted()
    clearTimeout(this.#timer)
  }

  /**
   * What the work comes to, if that is in time.
   * @throws ServiceError `request_timeout`; Abandoned
   */
  async enforce<T>(work: Promise<T>): Promise<T> {
    const expired = new Promise<never>((_resolve, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true })
    })
    try {
      return await Promise.race([work, expired])
    } finally {
      clearTimeout(this.#timer)
    }
  }

  #error(): ServiceError {
    const outcome = this.#isWrite ? '; nothing was stored' : ''
    return new ServiceError(
      'request_timeout',
      `The request was not done within ${this.#seconds} seconds${outcome}.`,
    )
  }
}
