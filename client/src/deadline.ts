/** A timer that is set to more, such as to Infinity, runs out at once. */
const longestTimer = 2 ** 31 - 1

/** The time that one try may take, and the caller's own signal, as one signal. */
export class Deadline {
  readonly signal: AbortSignal
  readonly timeout: number
  readonly #own = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(timeout: number, signal?: AbortSignal) {
    this.timeout = timeout
    this.signal = signal ? AbortSignal.any([signal, this.#own.signal]) : this.#own.signal
    this.restart()
  }

  get isOver(): boolean {
    return this.#own.signal.aborted
  }

  restart(): void {
    this.stop()
    this.#timer = setTimeout(() => this.#own.abort(), Math.min(this.timeout, longestTimer))
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
