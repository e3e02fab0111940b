import { setTimeout as pause } from 'node:timers/promises'
import type { Mutex } from 'async-mutex'

const maxRestMilliseconds = 5_000
const maxStopMilliseconds = 2_000

/** Does maintenance, one piece at a time. Rests after each for as long as it took. */
export class Background {
  readonly #onRested: () => void
  #isWaiting = false
  #running: Promise<void> | undefined
  #resting: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(onRested: () => void) {
    this.#onRested = onRested
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  get isFree(): boolean {
    return !this.#isStopped && !this.#isWaiting && !this.#running && !this.#resting
  }

  /** @param work whether it was done; if not, another server does it, and this one looks again later */
  begin(mutex: Mutex, work: () => Promise<boolean>, failed: (error: unknown) => void): void {
    this.#isWaiting = true
    void mutex.runExclusive(async () => {
      this.#isWaiting = false
      if (!this.#isStopped) await this.#workThenRest(work, failed)
    })
  }

  rest(milliseconds: number): void {
    if (this.#isStopped) return
    this.#resting = setTimeout(() => {
      this.#resting = undefined
      this.#onRested()
    }, milliseconds).unref()
  }

  /** Begins no more work. After two seconds it no longer waits for what still runs. */
  async stop(): Promise<void> {
    const timeout = new AbortController()
    await Promise.race([
      this.finish(),
      pause(maxStopMilliseconds, undefined, { signal: timeout.signal }).catch(() => undefined),
    ])
    timeout.abort()
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

export type AwaitedWork = PromiseWithResolvers<void> & {
  work: () => Promise<void>
  hasBegun: boolean
}

export async function settle(awaited: AwaitedWork): Promise<void> {
  awaited.hasBegun = true
  const done = awaited.work()
  done.then(awaited.resolve, awaited.reject)
  await done
}
