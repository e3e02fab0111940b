/** Waits for the clients of the last commit, so that they share the next one too. */
export class CommitLinger {
  readonly #maxGap: number
  #open: { expected: number; end: () => void; more: () => void } | undefined

  /** @param maxGap in ms, between one write and the next */
  constructor(maxGap: number) {
    this.#maxGap = maxGap
  }

  /** Settles when so many wait, after a gap without one, or once it has waited as long as the commit took, in ms. */
  async waitFor(expected: number, commitTook: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const gap = setTimeout(resolve, this.#maxGap)
    const limit = setTimeout(resolve, Math.max(commitTook, this.#maxGap))
    this.#open = { expected, end: resolve, more: () => gap.refresh() }
    await promise
    clearTimeout(gap)
    clearTimeout(limit)
    this.#open = undefined
  }

  /** Call with the number that wait, when one more has come. */
  arrived(waiting: number): void {
    if (!this.#open) return
    if (waiting >= this.#open.expected) this.#open.end()
    else this.#open.more()
  }
}
