/** Longer than a stop lasts that goes well. */
const maxStopMilliseconds = 15_000

const exit = (): never => process.exit(1)

/**
 * Hears the errors that nothing else does: says so once, lets the requests in hand end, and exits with 1.
 * What such an error left half done is not known, so the process does not go on.
 */
export class LastErrors {
  #tell = (error: unknown): void => console.error('The server ends, because of an error:', error)
  #stop = async (): Promise<void> => undefined
  #isEnding = false

  constructor() {
    process.on('uncaughtException', this.#onError).on('unhandledRejection', this.#onError)
  }

  setTeller(tell: (error: unknown) => void): void {
    this.#tell = tell
  }

  setStop(stop: () => Promise<void>): void {
    this.#stop = stop
  }

  /** Ends once: further errors may come from the log itself, or from what the first one broke. */
  #onError = (error: unknown): void => {
    if (this.#isEnding) return
    this.#isEnding = true
    process.exitCode = 1
    setTimeout(exit, maxStopMilliseconds)
    try {
      this.#tell(error)
    } catch {
      // The log may be what has failed.
    }
    void this.#stop().then(exit, exit)
  }
}
