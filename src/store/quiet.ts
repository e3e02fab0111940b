/** Tells once nothing has begun for a while. */
export class Quiet {
  readonly #milliseconds: number
  readonly #reached: () => void
  #timer: NodeJS.Timeout | undefined
  #isReached = false

  constructor(milliseconds: number, reached: () => void) {
    this.#milliseconds = milliseconds
    this.#reached = reached
  }

  /** Whether nothing began for so long, but something did before. */
  get isReached(): boolean {
    return this.#isReached
  }

  /** To be called whenever something begins. */
  begin(): void {
    this.#isReached = false
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#isReached = true
      this.#reached()
    }, this.#milliseconds).unref()
  }
}
