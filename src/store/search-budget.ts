import { Semaphore } from 'async-mutex'
import { whenCalm } from '../turns.ts'

/**
 * What searches may hold at once, in MiB, over all tables: LanceDB starts as many as it is asked for,
 * and 512 exact ones of 30 MB of vectors took 20 GB. A scan holds what it reads ahead and what it is
 * working on. Anything else is little, but works a core: with eight at once none of few cores is left
 * without work while the event loop is at something else.
 */
const mostHeld = 128
const mostOfOne = 64
const leastOfOne = 16

/** Bounds the searches that run at once by their size; others wait in the order they came. */
export class SearchBudget {
  readonly #semaphore = new Semaphore(mostHeld)

  /** Runs a search that reads so many bytes, once there is room for it. */
  run<T>(bytes: number, search: () => Promise<T>): Promise<T> {
    return this.#semaphore.runExclusive(async () => {
      await whenCalm()
      return search()
    }, heldBy(bytes))
  }
}

/** Whether a search that reads so many bytes holds as little as any. */
export const isSmall = (bytes: number): boolean => heldBy(bytes) === leastOfOne

function heldBy(bytes: number): number {
  const mebibytes = Number.isFinite(bytes) ? Math.ceil(bytes / 2 ** 20) : mostOfOne
  return Math.min(mostOfOne, Math.max(leastOfOne, mebibytes))
}
