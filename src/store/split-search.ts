import type { Table } from '@lancedb/lancedb'
import { above, type Filter } from './filter.ts'
import type { FreshRows } from './fresh-rows.ts'
import type { OpenTable } from './open-table.ts'

/** One search, by what it goes over. */
export type Searches<T> = {
  all: (lance: Table) => Promise<T>
  /** What its index holds. */
  indexed: (lance: Table) => Promise<T>
  /** What that condition matches, which is written after a time: no index holds it. */
  written: (lance: Table, condition: Filter) => Promise<T>
  /** The same of what is at hand. */
  fresh: (until: string) => T
}

/**
 * Searches what an index holds apart from what was written since. In one search LanceDB would read all
 * of the latter once for each vector, and measure words in it by other counts than those in its index.
 */
export class SplitSearch {
  readonly #table: OpenTable
  readonly #fresh: FreshRows

  constructor(table: OpenTable, fresh: FreshRows) {
    this.#table = table
    this.#fresh = fresh
  }

  /**
   * What the index finds, and what is found of what was written since, if anything was; what is found
   * of all where nobody can tell what was. The former goes first: of a document replaced meanwhile the
   * latter finds its new version.
   * @param until until when all rows written are in the index; undefined or '' where it holds none
   */
  async run<T>(searches: Searches<T>, until: () => string | undefined): Promise<T[]> {
    return (await this.#atHand(searches, until)) ?? this.#inFiles(searches, until)
  }

  /** Undefined where what was written since is not at hand. */
  async #atHand<T>({ indexed, fresh }: Searches<T>, until: () => string | undefined) {
    for (;;) {
      const time = until()
      if (!this.#isAtHandAfter(time)) return undefined
      const found = await this.#table.readIndexed(indexed)
      // What was fresh may be in the index by now, and was not when that was searched.
      if (!this.#isAtHandAfter(time)) continue
      return [found, fresh(time)]
    }
  }

  #inFiles<T>({ all, indexed, written }: Searches<T>, until: () => string | undefined) {
    return this.#table.read(async (lance): Promise<T[]> => {
      const { hasFresh } = this.#table
      const time = until()
      if (!time) return [await all(lance)]
      const found = await indexed(lance)
      // To make room, all may have been taken out of the index meanwhile.
      if (!until()) return [await all(lance)]
      if (!hasFresh && !this.#table.hasFresh) return [found]
      return [found, await written(lance, above('updated_at', time))]
    })
  }

  /** Whether all rows written since are here, so that no other file of the table is to be read. */
  #isAtHandAfter(until: string | undefined): until is string {
    const { since } = this.#fresh
    return until !== undefined && since !== undefined && since <= until
  }
}
