import type { Table } from '@lancedb/lancedb'
import type { Turn } from './background.ts'
import type { Chore } from './chores.ts'
import type { IndexState } from './coverage.ts'
import type { FreshRows } from './fresh-rows.ts'

/** What maintenance needs of the table. */
export type Upkeep = {
  /** Gives another handle of it. */
  open: () => Promise<Table>
  /** Has a chore done by another process. Returns false where there is no such process to be had. */
  elsewhere: (chore: Chore) => Promise<boolean>
  /** Has what this process does to its tables done one after the other. */
  inTurn: Turn
  /** Told how many bytes an index of words takes that was made. */
  indexed: (bytes: number) => void
  /**
   * Called when there may be a newer version: it is to be read, and to be put on the disk. `began` is
   * when that was begun at the earliest, where it is later than the last commit.
   */
  renewed: (began?: number) => Promise<void>
  /** Settles when all commits that were begun by now are made. */
  settled: () => Promise<void>
  /** When the oldest version that somebody reads was begun; `Infinity` where nobody does. */
  oldestRead: () => number
  /** Whether anything may be written at all. */
  isWritable: () => boolean
  /** Whether the disk has hardly any room left. */
  isFull: () => Promise<boolean>
  /** Told what went wrong where nobody waits. */
  failed: (error: unknown) => void
}

/** What maintenance needs of those who write to the table. */
export type Writers = {
  /** From when `hold` settles until `release`, rows are added but those that are there do not change. */
  hold: () => Promise<void>
  release: () => void
  /** Whether a write waits for that. */
  isAwaited: () => boolean
  /** Absent where the table has none. */
  indexes?: Indexes
  /** Whether that of words was made as the table was opened, so that it counts nothing that is gone. */
  areWordsNew?: boolean
  /** The rows that no index holds yet; absent where others write to the table, too. */
  fresh?: FreshRows
  /** To be called with a version in which rows have moved, before searches read it. */
  follow?: (table: Table) => Promise<void>
}

/** A table's indexes. They are made beside any write, and searches read the rows until they are. */
export type Indexes = {
  /** Leaves nothing in that of words, which takes hardly any room. */
  clear: (table: Table) => Promise<void>
  /** From how many rows on there are others. */
  fewestRows: number
  state: (table: Table) => Promise<IndexState>
  /** How many bytes that of words takes. */
  bytesOfWords: (table: Table) => Promise<number>
  /** Has what searches need of them loaded. */
  load: (table: Table) => Promise<void>
  /** When the newest row was written. */
  newest: (table: Table) => Promise<string | undefined>
}
