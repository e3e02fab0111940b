/** Longer than a normal stop. */
const maxStopMilliseconds = 15_000

const exit = (): never => process.exit(1)

/** Logs an unhandled error once, lets running requests end, and exits with 1, because the state is unknown then. */
export class UnhandledErrors {
  #log = (error: unknown): void => console.error('The server ends, because of an error:', error)
  #stop = async (): Promise<void> => undefined
  #isEnding = false

  constructor() {
    process.on('uncaughtException', this.#onError).on('unhandledRejection', this.#onError)
  }

  setLogger(log: (error: unknown) => void): void {
    this.#log = log
  }

  setStop(stop: () => Promise<void>): void {
    this.#stop = stop
  }

  /** Ends once. Further errors may come from the log, or from the effects of the first one. */
  #onError = (error: unknown): void => {
    if (this.#isEnding) return
    this.#isEnding = true
    process.exitCode = 1
    setTimeout(exit, maxStopMilliseconds)
    try {
      this.#log(error)
    } catch {
      // The log may be what has failed.
    }
    void this.#stop().then(exit, exit)
  }
}
