import type { TableStatistics } from '@lancedb/lancedb'
import type { OpenTable } from '../table/open-table.ts'
import type { Jobs } from './jobs.ts'

/**
 * Every commit leaves a file that slows later reads, and merging files takes longer the more rows there
 * are: the sum is least when the number of files grows with the root of the rows.
 */
const minFiles = 16
const filesARoot = 0.5

/** A table's writes: from `hold` until `release` rows are added, but none are rewritten. */
export type Holdable = { hold(): Promise<void>; release(): void }

/** Merges the files of one table, and deletes its old versions. */
export class Compaction {
  readonly #table: OpenTable
  readonly #queue: Holdable
  readonly #jobs: Jobs
  /** How many files commits left since the last compaction. */
  #files = 0

  constructor(table: OpenTable, queue: Holdable, jobs: Jobs) {
    this.#table = table
    this.#queue = queue
    this.#jobs = jobs
  }

  get isDue(): boolean {
    return this.#files >= Math.max(minFiles, Math.sqrt(this.#table.rows) * filesARoot)
  }

  get hasFiles(): boolean {
    return this.#files > 0
  }

  /** To be called for each commit that left a file. */
  leftFile(): void {
    this.#files += 1
  }

  /** To be called when the table is opened: an earlier life may have left many. */
  takeStock({ fragmentStats }: TableStatistics): void {
    this.#files = fragmentStats.numFragments
  }

  /**
   * Merges files, which also brings indexes up to date. Rewrites are held meanwhile: a conflicting one
   * breaks a compaction off, and LanceDB keeps the files of a broken one for a week.
   * @param oldestKept when the oldest version that stays was begun, in ms since 1970
   */
  async compact(oldestKept = this.#table.versions.oldestKept): Promise<void> {
    const files = this.#files
    this.#files = 0
    await this.#queue.hold()
    try {
      const olderThan = Math.min(oldestKept, this.#table.versions.oldestRead)
      await this.#jobs.do(this.#table, { kind: 'compact', olderThan })
    } catch (error) {
      this.#files += files
      throw error
    } finally {
      // A job that fails may have made versions.
      await this.#table.refresh().finally(() => this.#queue.release())
    }
  }
}
