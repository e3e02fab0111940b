import type { TableStatistics } from '@lancedb/lancedb'
import type { OpenTable } from './open-table.ts'
import type { Jobs } from './jobs.ts'

/** Files slow reads, and merging takes longer the more rows there are. A root balances the two. */
const minFiles = 16
const filesPerRoot = 0.5

export type Holdable = { hold(): Promise<void>; release(): void }

/** Merges the files of one table, and deletes its old versions. */
export class Compaction {
  readonly #table: OpenTable
  readonly #queue: Holdable
  readonly #jobs: Jobs
  #filesLeft = 0

  constructor(table: OpenTable, queue: Holdable, jobs: Jobs) {
    this.#table = table
    this.#queue = queue
    this.#jobs = jobs
  }

  get isDue(): boolean {
    return this.#filesLeft >= Math.max(minFiles, Math.sqrt(this.#table.rows) * filesPerRoot)
  }

  get hasFiles(): boolean {
    return this.#filesLeft > 0
  }

  countFile(): void {
    this.#filesLeft += 1
  }

  reloadStats({ fragmentStats }: TableStatistics): void {
    this.#filesLeft = fragmentStats.numFragments
  }

  /**
   * Merges files and brings indexes up to date. Rewrites wait meanwhile: one that conflicts breaks it off,
   * and LanceDB keeps the files of a broken compaction for a week.
   * @param oldestKept when the oldest version that stays was begun, in ms since 1970
   */
  async compact(oldestKept = this.#table.versions.oldestKept, erases = false): Promise<void> {
    const files = this.#filesLeft
    this.#filesLeft = 0
    await this.#queue.hold()
    try {
      const olderThan = Math.min(oldestKept, this.#table.versions.oldestRead)
      await this.#jobs.run(this.#table, { kind: 'compact', olderThan, erases })
    } catch (error) {
      this.#filesLeft += files
      throw error
    } finally {
      // Even after a failure, which may have left versions.
      await this.#table.refresh().finally(() => this.#queue.release())
    }
    await this.#jobs.removeReplaced(this.#table)
  }
}
