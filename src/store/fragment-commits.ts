import type { Table } from '@lancedb/lancedb'
import { applyChange, type Change, changedIds, rowsOf, versionsOf } from './fragment-change.ts'
import type { OpenTable } from './open-table.ts'
import type { WordKeeper } from './word-keeper.ts'
import { wordsOf } from './words-column.ts'

/** Makes commits to a table of fragments, and has their words counted. */
export class FragmentCommits {
  readonly #table: OpenTable
  readonly #keeper: WordKeeper

  constructor(table: OpenTable, keeper: WordKeeper) {
    this.#table = table
    this.#keeper = keeper
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
    const gone = isTold ? await wordsOf(this.#table, changed) : []
    const isComplete = await this.#table.commit(rowsOf(versions), (table) =>
      this.#write(table, change, mayBeThere),
    )
    if (isComplete) await this.#keeper.changed(wordsIn(versions), gone)
    else this.#keeper.forget()
    return isComplete
  }

  /** A write that fails may be done all the same. */
  async #write(table: Table, change: Change, mayBeThere: boolean): Promise<boolean> {
    try {
      return await applyChange(table, change, mayBeThere)
    } catch (error) {
      this.#keeper.forget()
      throw error
    }
  }
}

const wordsIn = (documents: ReturnType<typeof versionsOf>): Uint8Array[] =>
  documents.flatMap(({ fragments }) => fragments.map(({ words }) => words))
