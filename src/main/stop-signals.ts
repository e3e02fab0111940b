/**
 * What a terminal or a service manager sends to the whole group, npm sends on to its child once more:
 * within this time two signals are one.
 */
const oneSignalMilliseconds = 1_000

/**
 * SIGTERM and SIGINT, from the moment it is made. The first one stops the process as it was last
 * told, at first at once; another one ends it.
 */
export class StopSignals {
  #stop = (): void => process.exit(0)
  #first: number | undefined

  constructor() {
    process.on('SIGTERM', this.#came).on('SIGINT', this.#came)
  }

  /** From now on, how the process is to be stopped. */
  handle(stop: () => void): void {
    this.#stop = stop
  }

  #came = (): void => {
    const now = performance.now()
    if (this.#first === undefined) {
      this.#first = now
      this.#stop()
    } else if (now - this.#first > oneSignalMilliseconds) process.exit(1)
  }
}
