import { Abandoned, ServiceError } from '../errors/errors.ts'

/** Ends a request whose time is up, unless it has begun to write. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #gone = new AbortController()
  readonly signal = this.#controller.signal
  readonly clientGone = this.#gone.signal
  #timer: NodeJS.Timeout | undefined
  readonly #seconds: number
  readonly #isWrite: boolean
  #hasBegun = false
  #isInParts = false

  constructor(seconds: number, isWrite = true) {
    this.#seconds = seconds
    this.#isWrite = isWrite
  }

  /** Starts the time, or restarts it after a pause. */
  start(): void {
    if (this.#hasBegun) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#controller.abort(this.#error()), this.#seconds * 1000)
  }

  startPart(): void {
    this.#isInParts = true
    this.start()
  }

  pause(): void {
    clearTimeout(this.#timer)
  }

  /** Call when the client has gone. A write continues, except for work that watches `clientGone`. */
  abandon(): void {
    this.#gone.abort(new Abandoned())
    if (!this.#isWrite) this.#controller.abort(this.clientGone.reason)
  }

  /** From here on nothing ends the request. @throws as `enforce` */
  beginWrite(): void {
    this.signal.throwIfAborted()
    this.#hasBegun = true
    clearTimeout(this.#timer)
  }

  /** The work's result, if it is in time. @throws ServiceError `request_timeout`, Abandoned */
  async enforce<T>(work: Promise<T>): Promise<T> {
    try {
      return await orAborted(work, this.signal)
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

/** The work's result, or the signal's reason as soon as it is aborted. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([work, promise])
}
