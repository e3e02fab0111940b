import { setImmediate } from 'node:timers/promises'

const sliceMilliseconds = 4

/** Settles in the turn of the event loop that the last one who waits goes on in. */
let lastTurn: Promise<void> = Promise.resolve()

/** Long work awaits `pause` between its steps, so that other requests get their turn on the event loop. */
export class TimeSlice {
  #end = performance.now() + sliceMilliseconds

  pause(): Promise<void> | undefined {
    return performance.now() < this.#end ? undefined : this.#letOthers()
  }

  /** One goes on in each turn, because many together make a long one. */
  async #letOthers(): Promise<void> {
    lastTurn = lastTurn.then(() => setImmediate())
    await lastTurn
    this.#end = performance.now() + sliceMilliseconds
  }
}
