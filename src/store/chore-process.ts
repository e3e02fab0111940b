import { ChoreChild } from './chore-child.ts'
import type { Chore } from './chores.ts'

/** Started again as soon as it is needed, it takes a third of a second. */
const idleMilliseconds = 10_000

/** A limit of processes or memory takes one after the other. */
const mostLost = 3

/**
 * Has chores done by a process of its own, whose threads those of queries need not wait for, and which
 * gives back what memory they took when it ends. Beside 300 new documents a second the p99 of queries
 * by vector on 100,000 fragments was 107 to 132 ms, and 160 to 175 where the server did them.
 */
export class ChoreProcess {
  readonly #uri: string
  readonly #after: number
  #running: ChoreChild | undefined
  #idle: NodeJS.Timeout | undefined
  /** How many were gone since one did something. */
  #lost = 0
  #isClosed = false

  /**
   * @param uri where its tables are
   * @param after by how much that process comes after this one, as in `os.setPriority`
   */
  constructor(uri: string, after = 0) {
    this.#uri = uri
    this.#after = after
  }

  /**
   * @returns whether it was done: false where no such process can be had
   * @throws what went wrong there, or when the process is gone
   */
  async run(table: string, chore: Chore): Promise<boolean> {
    if (this.#isClosed) throw new Error('The store is closed.')
    clearTimeout(this.#idle)
    const running = this.#alive()
    if (!running) return false
    try {
      await running.run(table, chore)
      this.#lost = 0
      return true
    } finally {
      // One that is gone stays known until another takes its place.
      if (running === this.#running && running.isAlive && running.isIdle) this.#endWhenIdle()
    }
  }

  /** Ends the process, if there is one, and starts no other. What it breaks off harms nothing. */
  close(): void {
    this.#isClosed = true
    this.#end()
  }

  /** The process there is, or another; undefined once too many are gone. */
  #alive(): ChoreChild | undefined {
    if (this.#running?.isAlive) return this.#running
    if (this.#running) this.#lost += 1
    this.#running = this.#lost < mostLost ? this.#begin() : undefined
    return this.#running
  }

  #begin(): ChoreChild | undefined {
    try {
      return new ChoreChild(this.#uri, this.#after)
    } catch {
      // For want of memory there is not even one that is lost.
      this.#lost += 1
      return undefined
    }
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#end(), idleMilliseconds).unref()
  }

  #end(): void {
    clearTimeout(this.#idle)
    this.#running?.stop()
    this.#running = undefined
  }
}
