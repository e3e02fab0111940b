/** Waits a few ms for the clients of the last commit, so that they share the next one too. */
export class CommitLinger {
  readonly #maxMilliseconds: number
  #open: { expected: number; end: () => void } | undefined

  constructor(maxMilliseconds: number) {
    this.#maxMilliseconds = maxMilliseconds
  }

  async waitFor(expected: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, this.#maxMilliseconds)
    this.#open = { expected, end: resolve }
    await promise
    clearTimeout(timer)
    this.#open = undefined
  }

  /** Call with the number that wait, when one more has come. */
  arrived(waiting: number): void {
    if (this.#open && waiting >= this.#open.expected) this.#open.end()
  }
}
