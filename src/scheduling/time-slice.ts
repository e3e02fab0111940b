import { setImmediate } from 'node:timers/promises'

const sliceMilliseconds = 4

/** Long work awaits `pause` between its steps, so that other requests get their turn on the event loop. */
export class TimeSlice {
  #end = performance.now() + sliceMilliseconds

  pause(): Promise<void> | undefined {
    return performance.now() < this.#end ? undefined : this.#letOthers()
  }

  async #letOthers(): Promise<void> {
    await setImmediate()
    this.#end = performance.now() + sliceMilliseconds
  }
}
