import { Semaphore } from 'async-mutex'
import { whenFewConnect } from '../../scheduling/turns.ts'

/** In MiB, over all tables: LanceDB runs all searches at once, and hundreds need too much memory. */
const maxHeld = 128
const maxOfOne = 64
const minOfOne = 16

/** Bounds the searches that run at once by their size; others wait in the order they came. */
export class SearchBudget {
  readonly #semaphore = new Semaphore(maxHeld)

  admit<T>(bytes: number, search: () => Promise<T>): Promise<T> {
    return this.#semaphore.runExclusive(async () => {
      await whenFewConnect()
      return search()
    }, heldBy(bytes))
  }
}

export const isSmall = (bytes: number): boolean => heldBy(bytes) === minOfOne

function heldBy(bytes: number): number {
  const mebibytes = Number.isFinite(bytes) ? Math.ceil(bytes / 2 ** 20) : maxOfOne
  return Math.min(maxOfOne, Math.max(minOfOne, mebibytes))
}
