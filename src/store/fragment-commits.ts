import type { Table } from '@lancedb/lancedb'
import {
  applyChange,
  type Change,
  changedIds,
  goneRowsOf,
  rowsOf,
  versionsOf,
} from './fragment-change.ts'
import type { FreshRows } from './fresh-rows.ts'
import type { OpenTable } from './open-table.ts'
import type { WordKeeper } from './word-keeper.ts'
import { wordsOf } from './words-column.ts'

/** Makes commits to a table of fragments; has their words counted, and what is fresh remembered. */
export class FragmentCommits {
  readonly #table: OpenTable
  readonly #keeper: WordKeeper
  readonly #fresh: FreshRows

  constructor(table: OpenTable, keeper: WordKeeper, fresh: FreshRows) {
    this.#table = table
    this.#keeper = keeper
    this.#fresh = fresh
  }

  /**
   * @param mayBeThere whether some of what is added may be in the table, and is to stay as it is there
   * @returns whether all of it came in
   * @throws StorageFull
   */
  async make(change: Change, mayBeThere: boolean): Promise<boolean> {
    const versions = versionsOf(change)
    const changed = changedIds(change)
    if (versions.length > 0) await this.#table.checkRoom()
    const isTold = this.#keeper.isLive && changed.length > 0
    const wordsGone = isTold ? await wordsOf(this.#table, changed) : []
    const write = (table: Table) => {
      this.#fresh.write(versions)
      return this.#write(table, change, mayBeThere)
    }
    const isComplete = await this.#table.commit(rowsOf(versions), write, goneRowsOf(change))
    if (!isComplete) {
      this.#forget()
      return false
    }
    this.#fresh.remove(change.removed.map(({ id }) => id))
    await this.#keeper.changed(wordsIn(versions), wordsGone)
    return true
  }

  /** A write that fails may be done all the same. */
  async #write(table: Table, change: Change, mayBeThere: boolean): Promise<boolean> {
    try {
      return await applyChange(table, change, mayBeThere)
    } catch (error) {
      this.#forget()
      throw error
    }
  }

  #forget(): void {
    this.#keeper.forget()
    this.#fresh.forget()
  }
}

const wordsIn = (documents: ReturnType<typeof versionsOf>): Uint8Array[] =>
  documents.flatMap(({ fragments }) => fragments.map(({ words }) => words))
