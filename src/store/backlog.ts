import type { IndexConfig, TableStatistics } from '@lancedb/lancedb'

/**
 * Every commit leaves a file, which costs each later read by ids or of a page 0.1 to 0.2 ms, and each
 * commit 0.003, until the files are merged; that takes some milliseconds, and one for every 20 to 60
 * rows. The sum is least where the commits between two mergers grow with the root of the rows.
 */
const fewestCommits = 16
const commitsARoot = 0.5

/**
 * A query reads every row that is not in the index of words yet: 100 of them take a millisecond. To
 * make the index takes as long as it has rows, so that with many of them more are waited for.
 */
const fewestRows = 64
const shareOfRows = 1 / 100

/** What has come to a table that maintenance has not gone over, and when that is enough to do so. */
export class Backlog {
  #rows = 0
  #bytesARow = 0
  /** Since files were merged. */
  #commits = 0
  #commitsToMerge = fewestCommits
  /** Since words were indexed. */
  #words = 0

  get rows(): number {
    return this.#rows
  }

  get bytes(): number {
    return this.#bytesARow * this.#rows
  }

  get isEmpty(): boolean {
    return this.#commits === 0
  }

  get isMergeDue(): boolean {
    return this.#commits >= this.#commitsToMerge
  }

  get areWordsDue(): boolean {
    return this.#words >= Math.max(fewestRows, this.#rows * shareOfRows)
  }

  /** To be called for each version, with how many rows it changed, and whether it left a file more. */
  committed(rows: number, leavesFile = true): void {
    if (leavesFile) this.#commits += 1
    this.#words += rows
    this.#rows += rows
  }

  /** To be called when words are about to be indexed; what comes from here on may be left out. */
  indexing(): void {
    this.#words = 0
  }

  /** To be called when files are about to be merged, which brings all indexes up to date. */
  merging(): void {
    this.#commits = 0
    this.#words = 0
  }

  /** To be called when that was not done. */
  failed(): void {
    this.#commits = this.#commitsToMerge
  }

  /** To be called with how much there is, now that it was gone over. */
  weigh({ numRows, totalBytes }: TableStatistics): void {
    this.#rows = numRows
    this.#bytesARow = totalBytes / Math.max(1, numRows)
    this.#commitsToMerge = Math.max(fewestCommits, Math.sqrt(numRows) * commitsARoot)
  }

  /** To be called when the table is opened: an earlier life may have left much to do. */
  takeStock(stats: TableStatistics, indexes: IndexConfig[]): void {
    this.weigh(stats)
    this.#commitsToMerge = fewestCommits
    this.#commits = stats.fragmentStats.numFragments
    const unindexed = indexes.map(({ numUnindexedRows = 0 }) => numUnindexedRows)
    this.#words = Math.max(0, ...unindexed)
  }
}
