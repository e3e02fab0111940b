const maxMilliseconds = 5

/** Waits a moment for clients answered together, or they split into halves that wait for each other's commits. */
export class Gathering {
  #open: { expected: number; end: () => void } | undefined

  async waitFor(expected: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, maxMilliseconds)
    this.#open = { expected, end: resolve }
    await promise
    clearTimeout(timer)
    this.#open = undefined
  }

  /** To be called with how many wait, when one more has come. */
  arrived(waiting: number): void {
    if (this.#open && waiting >= this.#open.expected) this.#open.end()
  }
}
