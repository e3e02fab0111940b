/** Does work now and after each interval, one piece at a time. It must not throw. */
export class Periodic {
  readonly #work: () => Promise<void>
  readonly #milliseconds: number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isStopped = false

  constructor(work: () => Promise<void>, milliseconds: number) {
    this.#work = work
    this.#milliseconds = milliseconds
  }

  start(): void {
    this.#begin()
    this.#timer = setInterval(() => this.#begin(), this.#milliseconds).unref()
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  async idle(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await this.#running
  }

  #begin(): void {
    this.#running ??= this.#work().finally(() => (this.#running = undefined))
  }
}
