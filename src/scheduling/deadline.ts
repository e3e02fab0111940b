import { Abandoned, ServiceError } from '../errors.ts'

/** Ends a request whose time is up, unless it has begun to write. */
export class Deadline {
  readonly #controller = new AbortController()
  #timer: NodeJS.Timeout | undefined
  readonly #seconds: number
  readonly #isWrite: boolean
  #hasBegun = false
  #isInParts = false

  constructor(seconds: number, isWrite = true) {
    this.#seconds = seconds
    this.#isWrite = isWrite
  }

  /** Begins the time, or begins it anew after a pause. */
  start(): void {
    if (this.#hasBegun) return
    this.#timer = setTimeout(() => this.#controller.abort(this.#error()), this.#seconds * 1000)
  }

  /** Ends the time while others are waited for, or until the next part is due. */
  pause(): void {
    this.#isInParts = true
    clearTimeout(this.#timer)
  }

  abandon(): void {
    this.#controller.abort(new Abandoned())
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** From here on nothing ends the request. @throws as `enforce` */
  beginWrite(): void {
    this.signal.throwIfAborted()
    this.#hasBegun = true
    clearTimeout(this.#timer)
  }

  /** The work's result, if it is in time. @throws ServiceError `request_timeout`, Abandoned */
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
    const missed = this.#isInParts ? 'The answer did not go on' : 'The request was not done'
    return new ServiceError(
      'request_timeout',
      `${missed} within ${this.#seconds} seconds${outcome}.`,
    )
  }
}
