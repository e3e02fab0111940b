const sliceMilliseconds = 4

/** Lets long work on the event loop be done in slices, so that other requests get their turn. */
export class TimeSlice {
  #end = performance.now() + sliceMilliseconds

  /** To be awaited between steps: returns at once until the slice is used up, then lets others go first. */
  async pause(): Promise<void> {
    if (performance.now() < this.#end) return
    await new Promise((resolve) => setImmediate(resolve))
    this.#end = performance.now() + sliceMilliseconds
  }
}
