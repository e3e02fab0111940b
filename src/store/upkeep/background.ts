import type { Mutex } from 'async-mutex'
import { setTimeout as pause } from 'node:timers/promises'

/** After a run it rests as long as the run took, within these bounds. */
const maxRest = 5_000
const faultRest = 5_000

/** How long a stop waits for a run; breaking one off harms nothing. */
const stopMilliseconds = 2_000

/** Does work that nobody waits for, a run at a time, and rests after each. */
export class Background {
  readonly #rested: () => void
  #isWaiting = false
  #running: Promise<void> | undefined
  #resting: NodeJS.Timeout | undefined
  #isStopped = false

  /** @param rested called when another run may begin */
  constructor(rested: () => void) {
    this.#rested = rested
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  get isFree(): boolean {
    return !this.#isStopped && !this.#isWaiting && !this.#running && !this.#resting
  }

  /** Does the work in its turn. A stop does not wait for that: a turn that comes later does nothing. */
  begin(turn: Mutex, work: () => Promise<void>, failed: (error: unknown) => void): void {
    this.#isWaiting = true
    void turn.runExclusive(async () => {
      this.#isWaiting = false
      if (!this.#isStopped) await this.#run(work, failed)
    })
  }

  /** Begins no more, and settles when nothing is being done, or in two seconds. */
  async stop(): Promise<void> {
    const patience = new AbortController()
    await Promise.race([
      this.stopWhole(),
      pause(stopMilliseconds, undefined, { signal: patience.signal }).catch(() => undefined),
    ])
    patience.abort()
  }

  async stopWhole(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#resting)
    await this.#running
  }

  #run(work: () => Promise<void>, failed: (error: unknown) => void): Promise<void> {
    const began = performance.now()
    let minRest = 0
    this.#running = work()
      .catch((error: unknown) => {
        minRest = faultRest
        failed(error)
      })
      .finally(() => {
        this.#running = undefined
        this.#rest(Math.max(minRest, Math.min(maxRest, performance.now() - began)))
      })
    return this.#running
  }

  #rest(milliseconds: number): void {
    if (this.#isStopped) return
    this.#resting = setTimeout(() => {
      this.#resting = undefined
      this.#rested()
    }, milliseconds).unref()
  }
}
