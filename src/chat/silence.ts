import { late } from '../provider/failure.ts'

/** Aborts its signal once it has lasted too long. */
export class Silence {
  readonly #controller = new AbortController()
  readonly #maxSeconds: number
  #timer: NodeJS.Timeout | undefined

  constructor(maxSeconds: number) {
    this.#maxSeconds = maxSeconds
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  begin(): void {
    const abort = () => this.#controller.abort(late(this.#maxSeconds))
    this.#timer = setTimeout(abort, this.#maxSeconds * 1000)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
