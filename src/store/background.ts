import { setTimeout as pause } from 'node:timers/promises'

/** After each run it rests for as long as the run took, within reason; longer after a fault. */
const longestRest = 5_000
const faultMilliseconds = 5_000

/** How long who stops waits for a run; to break one off harms nothing. */
const stopMilliseconds = 2_000

/** Does something when its turn has come. */
export type Turn = (go: () => Promise<void>) => Promise<void>

/** Where nobody waits for anybody. */
export const atOnce: Turn = (go) => go()

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

  /** Whether a run may begin. */
  get isFree(): boolean {
    return !this.#isStopped && !this.#isWaiting && !this.#running && !this.#resting
  }

  /** Does the work in its turn. Who stops does not wait for that: one that comes later does nothing. */
  run(work: () => Promise<void>, failed: (error: unknown) => void, turn: Turn): void {
    this.#isWaiting = true
    void turn(async () => {
      this.#isWaiting = false
      if (!this.#isStopped) await this.#work(work, failed)
    })
  }

  #work(work: () => Promise<void>, failed: (error: unknown) => void): Promise<void> {
    const began = performance.now()
    let leastRest = 0
    this.#running = work()
      .catch((error: unknown) => {
        leastRest = faultMilliseconds
        failed(error)
      })
      .finally(() => {
        this.#running = undefined
        this.#rest(Math.max(leastRest, Math.min(longestRest, performance.now() - began)))
      })
    return this.#running
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

  /** Begins no more, and settles when nothing is being done. */
  async stopWhole(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#resting)
    await this.#running
  }

  #rest(milliseconds: number): void {
    if (this.#isStopped) return
    this.#resting = setTimeout(() => {
      this.#resting = undefined
      this.#rested()
    }, milliseconds).unref()
  }
}
