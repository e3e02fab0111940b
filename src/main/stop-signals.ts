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
