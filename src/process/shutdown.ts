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

/** npm passes on a signal that its child got too, so two within this time are one. */
const repeatMilliseconds = 1_000

/** The first SIGTERM or SIGINT calls the stop handler, by default an exit; a second one exits at once. */
export class StopSignals {
  #onStop = (): void => process.exit(0)
  #firstAt: number | undefined

  constructor() {
    process.on('SIGTERM', this.#onSignal).on('SIGINT', this.#onSignal)
  }

  setHandler(onStop: () => void): void {
    this.#onStop = onStop
  }

  #onSignal = (): void => {
    const now = performance.now()
    if (this.#firstAt === undefined) {
      this.#firstAt = now
      this.#onStop()
    } else if (now - this.#firstAt > repeatMilliseconds) process.exit(1)
  }
}
