import { areIndexesDue, type IndexState, indexStateOf } from '../indexes/fragment-indexes.ts'
import { makeEmptyWordIndex } from '../indexes/word-index.ts'
import type { OpenTable } from '../table/open-table.ts'
import type { Jobs } from './jobs.ts'

/** With fewer rows an index of vectors or ids would save little. */
const minRows = 2_000

/** Every search reads the rows that no index holds. */
const minUnindexed = 256
const shareUnindexed = 1 / 100
/** After a while without a write, fewer rows are worth a compaction. */
const shareUnindexedWhenQuiet = 1 / 1_000

/** Tells when the indexes of a table of fragments are behind, and makes those that a large one needs. */
export class IndexKeeper {
  readonly #table: OpenTable
  readonly #jobs: Jobs
  #unindexed = 0
  #hasVectors = false
  #areDue = false
  /** Whether an earlier life left rows out. */
  #hasLeftovers = false

  constructor(table: OpenTable, jobs: Jobs) {
    this.#table = table
    this.#jobs = jobs
  }

  /** About how many bytes a search by vector reads. */
  get bytesToScan(): number {
    const { rows, bytes } = this.#table
    return this.#hasVectors ? bytes * Math.min(1, this.#unindexed / Math.max(1, rows)) : bytes
  }

  /** Whether a search by vector asks an index, which may find fewer than there are. */
  get mayMiss(): boolean {
    return this.#table.isShared || this.#hasVectors
  }

  /** Whether an index that a large table needs is missing, or has grown slow. */
  get areDue(): boolean {
    return this.#areDue
  }

  /** Whether so many rows are in no index that a compaction is to put them there. */
  isBehind(isQuiet: boolean): boolean {
    const { rows } = this.#table
    const min = isQuiet
      ? Math.max(1, rows * shareUnindexedWhenQuiet)
      : Math.max(minUnindexed, rows * shareUnindexed)
    return this.#hasLeftovers || this.#unindexed >= min
  }

  /** To be called for each commit, with how many rows it wrote. */
  wrote(rows: number): void {
    this.#unindexed += rows
  }

  /** To be called when the table is opened. Without its index of words it could not be searched. */
  async open(): Promise<void> {
    if (!(await this.look()).hasWords) {
      await this.clear()
      await this.look()
    }
    this.#hasLeftovers = this.#unindexed > 0
  }

  /** Leaves nothing in the index of words, which then takes hardly any room. Durable when it settles. */
  async clear(): Promise<void> {
    await this.#table.commit(0, makeEmptyWordIndex)
    await this.#table.sync()
  }

  /** Makes the indexes that are due. */
  async make(): Promise<void> {
    // A failure is tried again after the next compaction.
    this.#areDue = false
    try {
      await this.#jobs.do(this.#table, { kind: 'index' })
    } finally {
      await this.#table.refresh()
    }
    await this.look()
  }

  /** To be called after a compaction. */
  async look(): Promise<IndexState> {
    const state = await this.#table.read(indexStateOf)
    this.#hasVectors = state.hasVectors
    this.#hasLeftovers = false
    this.#unindexed = state.unindexed
    this.#areDue = this.#table.rows >= minRows && (await this.#table.read(areIndexesDue))
    return state
  }
}
