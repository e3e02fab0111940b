import { setTimeout as pause } from 'node:timers/promises'
import type { Mutex } from 'async-mutex'

const maxRestMilliseconds = 5_000
const maxStopMilliseconds = 2_000

/** Does work that nobody waits for, one piece at a time. Rests after each for as long as it took. */
export class Background {
  readonly #rested: () => void
  #isWaiting = false
  #running: Promise<void> | undefined
  #resting: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(rested: () => void) {
    this.#rested = rested
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  get isFree(): boolean {
    return !this.#isStopped && !this.#isWaiting && !this.#running && !this.#resting
  }

  /** @param work whether it was done; if not, another server does it, and this one looks again later */
  begin(turn: Mutex, work: () => Promise<boolean>, failed: (error: unknown) => void): void {
    this.#isWaiting = true
    void turn.runExclusive(async () => {
      this.#isWaiting = false
      if (!this.#isStopped) await this.#workThenRest(work, failed)
    })
  }

  rest(milliseconds: number): void {
    if (this.#isStopped) return
    this.#resting = setTimeout(() => {
      this.#resting = undefined
      this.#rested()
    }, milliseconds).unref()
  }

  /** Begins no more work. After two seconds it breaks off what still runs, which harms nothing. */
  async stop(): Promise<void> {
    const patience = new AbortController()
    await Promise.race([
      this.finish(),
      pause(maxStopMilliseconds, undefined, { signal: patience.signal }).catch(() => undefined),
    ])
    patience.abort()
  }

  async finish(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#resting)
    await this.#running
  }

  #workThenRest(work: () => Promise<boolean>, failed: (error: unknown) => void): Promise<void> {
    const began = performance.now()
    this.#running = work()
      .catch((error: unknown) => {
        failed(error)
        return false
      })
      .then((isDone) => {
        this.#running = undefined
        const took = isDone ? performance.now() - began : Infinity
        this.rest(Math.min(maxRestMilliseconds, took))
      })
    return this.#running
  }
}

/** A piece of work that somebody waits for. */
export type Piece = PromiseWithResolvers<void> & { work: () => Promise<void>; hasBegun: boolean }

export async function carryOut(piece: Piece): Promise<void> {
  piece.hasBegun = true
  const done = piece.work()
  done.then(piece.resolve, piece.reject)
  await done
}
