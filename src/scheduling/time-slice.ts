import { setImmediate } from 'node:timers/promises'

const sliceMilliseconds = 4

/** Cuts long work on the event loop into slices, so that other requests get their turn. */
export class TimeSlice {
  #end = performance.now() + sliceMilliseconds

  /** To be awaited between steps; it takes no time until the slice is used up. */
  pause(): Promise<void> | undefined {
    return performance.now() < this.#end ? undefined : this.#letOthers()
  }

  async #letOthers(): Promise<void> {
    await setImmediate()
    this.#end = performance.now() + sliceMilliseconds
  }
}
