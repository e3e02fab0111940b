import type { Table } from '@lancedb/lancedb'
import { type Chore, doChore, isDue } from './chores.ts'
import type { Upkeep } from './upkeep.ts'

/** What is done to more rows takes so long, and so much memory, that another process does it. */
const mostRowsHere = 10_000

/** Does chores to a table, one at a time, and shows the table as they leave it. */
export class ChoreRunner {
  readonly #upkeep: Upkeep
  readonly #rows: () => number
  readonly #done: (newest: () => Promise<Table>) => Promise<void>
  #table: Table | undefined

  /**
   * @param rows how many the table has
   * @param done called when a chore was done, before searches see the version it made
   */
  constructor(
    upkeep: Upkeep,
    rows: () => number,
    done: (newest: () => Promise<Table>) => Promise<void>,
  ) {
    this.#upkeep = upkeep
    this.#rows = rows
    this.#done = done
  }

  /** Whether another process does them, if it can be had. */
  get areElsewhere(): boolean {
    return this.#rows() > mostRowsHere
  }

  /** The newest version, by a handle that is there until `rest`. */
  async newest(): Promise<Table> {
    const table = (this.#table ??= await this.#upkeep.open())
    await table.checkoutLatest()
    return table
  }

  /** @returns whether there was anything to be done */
  async run(chore: Chore): Promise<boolean> {
    if (!(await isDue(await this.newest(), chore))) return false
    try {
      if (!(await this.#elsewhere(chore))) await doChore(await this.newest(), chore)
      await this.#done(() => this.newest())
    } finally {
      // Also what fails may have made versions.
      await this.#upkeep.renewed()
    }
    return true
  }

  /** To be called when there is nothing to do: a handle kept holds on to what LanceDB remembers. */
  rest(): void {
    this.#table?.close()
    this.#table = undefined
  }

  async #elsewhere(chore: Chore): Promise<boolean> {
    if (!this.areElsewhere) return false
    this.rest()
    return this.#upkeep.elsewhere(chore)
  }
}
