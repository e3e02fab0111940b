import { Semaphore } from 'async-mutex'
import { whenCalm } from '../../scheduling/turns.ts'

/**
 * What searches may hold at once over all tables, in MiB. LanceDB starts as many as it is asked for, and
 * hundreds of exact ones take more memory than there is. Every other search counts as the least.
 */
const maxHeld = 128
const maxOfOne = 64
const minOfOne = 16

/** Bounds the searches that run at once by their size; others wait in the order they came. */
export class SearchBudget {
  readonly #semaphore = new Semaphore(maxHeld)

  admit<T>(bytes: number, search: () => Promise<T>): Promise<T> {
    return this.#semaphore.runExclusive(async () => {
      await whenCalm()
      return search()
    }, heldBy(bytes))
  }
}

export const isSmall = (bytes: number): boolean => heldBy(bytes) === minOfOne

function heldBy(bytes: number): number {
  const mebibytes = Number.isFinite(bytes) ? Math.ceil(bytes / 2 ** 20) : maxOfOne
  return Math.min(maxOfOne, Math.max(minOfOne, mebibytes))
}
