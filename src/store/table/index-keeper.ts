import { needsIndexBuild, type IndexState, indexStateOf } from '../lance/fragment-indexes.ts'
import { makeEmptyWordIndex } from '../lance/search-indexes.ts'
import type { OpenTable } from './open-table.ts'
import type { Job } from './job.ts'
import type { Jobs } from './jobs.ts'

const minRows = 2_000

/** Every search reads the rows that no index holds. A quiet table has time to index fewer of them. */
const minUnindexed = 256
const minShareUnindexed = 1 / 4
const minShareUnindexedWhenQuiet = 1 / 1_000

/** The words of a row take a search far longer to read than all else of it, except where memory holds them. */
const minShareWithoutWords = 1 / 50
const minShareInMemory = 1 / 4
const maxInMemory = 4_000

/** Deleted rows count in the scores of the others until the index is rebuilt. */
const minDeleted = 16
const minShareDeleted = 1 / 4

/** What searches keep in memory of the rows that the index of words lacks. */
type Recent = {
  size: number
  isSearched: boolean
  beginIndexing(): Promise<() => void>
  forget(): void
}

/** Knows when the indexes of a fragment table are behind, and makes those that a large table needs. */
export class IndexKeeper {
  readonly indexed: Pick<IndexState, 'hasVectors' | 'unindexed'> = {
    hasVectors: false,
    unindexed: 0,
  }
  readonly #table: OpenTable
  readonly #jobs: Jobs
  readonly #recent: Recent
  #wordsUnindexed = 0
  #wordsDeleted = 0
  #needsBuild = false
  #hasBuildFailed = false
  #hasUnindexedFromEarlierRun = false

  constructor(table: OpenTable, jobs: Jobs, recent: Recent) {
    this.#table = table
    this.#jobs = jobs
    this.#recent = recent
  }

  /** After a build that failed, compactions come first. */
  isBuildDue(isCompactionDue: boolean): boolean {
    return this.#needsBuild && !(this.#hasBuildFailed && isCompactionDue)
  }

  hasBacklog(isQuiet: boolean): boolean {
    const { rows } = this.#table
    const min = isQuiet
      ? Math.max(1, rows * minShareUnindexedWhenQuiet)
      : Math.max(minUnindexed, rows * minShareUnindexed)
    return this.#hasUnindexedFromEarlierRun || this.indexed.unindexed >= min
  }

  /** Whether the index of words lacks so many rows that searches are slow, or has too many that are gone. */
  get hasWordBacklog(): boolean {
    const { rows } = this.#table
    if (this.#wordsDeleted >= Math.max(minDeleted, rows * minShareDeleted)) return true
    const min = this.#recent.isSearched
      ? Math.min(maxInMemory, rows * minShareInMemory)
      : rows * minShareWithoutWords
    return this.#wordsUnindexed >= Math.max(minUnindexed, min)
  }

  rowsChanged(written: number, deleted: number): void {
    this.indexed.unindexed += written
    this.#wordsUnindexed += written
    this.#wordsDeleted += deleted
  }

  /** Await before the first search, which needs the index of words. */
  async start(): Promise<void> {
    if (!(await this.readState()).hasWords) {
      await this.#makeEmptyWords()
      await this.readState()
    }
    this.#hasUnindexedFromEarlierRun = this.indexed.unindexed > 0
  }

  /** Leaves an index of words that takes hardly any room. Durable when it settles. */
  async clearWords(): Promise<void> {
    this.#recent.forget()
    await this.#makeEmptyWords()
  }

  async #makeEmptyWords(): Promise<void> {
    await this.#table.commit(0, makeEmptyWordIndex)
    await this.#table.sync()
  }

  /** If it fails, a build is still needed. */
  async build(): Promise<void> {
    this.#hasBuildFailed = true
    const wasLeft = this.#hasUnindexedFromEarlierRun
    await this.#runJob({ kind: 'index' })
    // It makes what is missing, and adds nothing to what is there.
    this.#hasUnindexedFromEarlierRun = wasLeft && this.indexed.unindexed > 0
    this.#hasBuildFailed = false
  }

  /** Brings the index of words up to date without a compaction, which takes longer. */
  async makeWords(): Promise<void> {
    const deleted = this.#wordsDeleted
    await this.covering(() => this.#runJob({ kind: 'words' }))
    this.#wordsDeleted -= deleted
  }

  /** Does work after which the index of words has all rows from before it. */
  async covering(work: () => Promise<void>): Promise<void> {
    const covered = await this.#recent.beginIndexing()
    await work()
    covered()
  }

  /** The same for work that takes rows out of the index at first. LanceDB reads all that it lacks meanwhile. */
  coveringAnew(work: () => Promise<void>): Promise<void> {
    this.#recent.forget()
    return this.covering(work)
  }

  async #runJob(job: Job): Promise<void> {
    try {
      await this.#jobs.run(this.#table, job)
    } finally {
      await this.#table.refresh()
    }
    await this.readState()
  }

  async readState(): Promise<IndexState> {
    const state = await this.#table.read(indexStateOf)
    this.indexed.hasVectors = state.hasVectors
    this.#hasUnindexedFromEarlierRun = false
    this.indexed.unindexed = state.unindexed
    this.#wordsUnindexed = state.wordsUnindexed
    // A job that ended between its two commits leaves the indexes of filters behind.
    const unindexed = Math.max(state.wordsUnindexed, state.filtersUnindexed)
    if (unindexed > this.#recent.size) this.#recent.forget()
    this.#needsBuild = this.#table.rows >= minRows && (await this.#table.read(needsIndexBuild))
    return state
  }
}
