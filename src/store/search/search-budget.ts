import { Semaphore } from 'async-mutex'
import { whenCalm } from '../../scheduling/turns.ts'

/**
 * What searches may hold at once, in MiB, over all tables: LanceDB starts as many as it is asked for,
 * and hundreds of exact ones at once take more memory than there is. Any other search takes little
 * memory, but works a core.
 */
const maxHeld = 128
const maxOfOne = 64
const minOfOne = 16

/** Bounds the searches that run at once by their size; others wait in the order they came. */
export class SearchBudget {
  readonly #semaphore = new Semaphore(maxHeld)

  /** Runs a search that reads so many bytes, once there is room for it. */
  run<T>(bytes: number, search: () => Promise<T>): Promise<T> {
    return this.#semaphore.runExclusive(async () => {
      await whenCalm()
      return search()
    }, heldBy(bytes))
  }
}

/** Whether a search that reads so many bytes holds as little as any. */
export const isSmall = (bytes: number): boolean => heldBy(bytes) === minOfOne

function heldBy(bytes: number): number {
  const mebibytes = Number.isFinite(bytes) ? Math.ceil(bytes / 2 ** 20) : maxOfOne
  return Math.min(maxOfOne, Math.max(minOfOne, mebibytes))
}
