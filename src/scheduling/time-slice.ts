import { setImmediate } from 'node:timers/promises'

const sliceMilliseconds = 4

/** Lets long work on the event loop be done in slices, so that other requests get their turn. */
export class TimeSlice {
  #end = performance.now() + sliceMilliseconds

  /** To be awaited between steps: nothing to wait for until the slice is used up, then others go first. */
  pause(): Promise<void> | undefined {
    return performance.now() < this.#end ? undefined : this.#letOthers()
  }

  async #letOthers(): Promise<void> {
    await setImmediate()
    this.#end = performance.now() + sliceMilliseconds
  }
}
