import type { Table, TableStatistics } from '@lancedb/lancedb'
import { setTimeout as pause } from 'node:timers/promises'
import { RecentCommits } from './recent-commits.ts'
import type { Upkeep, Writers } from './upkeep.ts'

/**
 * Every commit leaves a file, which costs each later commit and read about a tenth of a millisecond
 * until the files are merged; that takes some milliseconds, and one for every 20 to 60 rows. The sum
 * is least where the commits between two mergers grow with the root of the rows.
 */
const fewestCommits = 16
const commitsARoot = 0.5

/**
 * A query reads every row that is not in the index of words yet: 100 of them take a millisecond. To
 * make the index takes as long as it has rows, so that with many of them more are waited for.
 */
const fewestRows = 64
const shareOfRows = 1 / 400

/** After each run maintenance rests for as long as the run took; longer after a fault. */
const faultMilliseconds = 5_000

/** How long who stops waits for a run; to break one off harms nothing. */
const stopMilliseconds = 2_000

/**
 * Keeps a table quick and its directory small, beside its reads and writes: brings the index of
 * words up to date, merges files, deletes old versions.
 */
export class Maintenance {
  readonly #upkeep: Upkeep
  #writers: Writers | undefined
  #table: Table | undefined
  #commits = new RecentCommits([])
  /** What came since files were merged, and since words were indexed. */
  #commitsSince = 0
  #rowsSince = 0
  #commitsToMerge = fewestCommits
  #rows = 0
  #bytesARow = 0
  #running: Promise<void> | undefined
  #resting: NodeJS.Timeout | undefined
  #isStopped = false
  #isFull = false

  constructor(upkeep: Upkeep) {
    this.#upkeep = upkeep
  }

  /** When the newest version was begun; 0 when it was found. */
  get lastCommit(): number {
    return this.#commits.newest
  }

  /** How many bytes a merger may need: all rows are written once more, and the index of words twice. */
  get room(): number {
    return 3 * this.#bytesARow * this.#rows
  }

  /** Begins, once it is known who writes. */
  start(writers: Writers): void {
    this.#writers = writers
    this.#runIfDue()
  }

  /** To be called for every version with when it was begun and how many rows it changed. */
  committed(began: number, rows: number): void {
    this.#commits.add(began)
    this.#commitsSince += 1
    this.#rowsSince += rows
    this.#rows += rows
    this.#runIfDue()
  }

  /** To be called when the table is opened: an earlier life may have left much to do. */
  async takeStock(table: Table): Promise<void> {
    const [stats, versions, indexes] = await Promise.all([
      table.stats(),
      table.listVersions(),
      table.listIndices(),
    ])
    this.#commits = new RecentCommits(versions.map(({ timestamp }) => timestamp))
    this.#commitsSince = stats.fragmentStats.numFragments
    this.#weigh(stats)
    for (const { name } of indexes) {
      this.#rowsSince += (await table.indexStats(name))?.numUnindexedRows ?? 0
    }
  }

  /** To be called when a write was refused for want of room: whatever is not needed is deleted. */
  makeRoom(): void {
    // Once that was done, only what is deleted since gives more.
    if (this.#isFull) return
    this.#isFull = true
    this.#commitsSince += 1
    this.#runIfDue()
  }

  /** Does no more, and settles when nothing is being done, or in two seconds. */
  async stop(): Promise<void> {
    const patience = new AbortController()
    await Promise.race([
      this.stopWhole(),
      pause(stopMilliseconds, undefined, { signal: patience.signal }).catch(() => undefined),
    ])
    patience.abort()
  }

  /** Does no more, and settles when nothing is being done. */
  async stopWhole(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#resting)
    await this.#running
    this.#table?.close()
    this.#table = undefined
  }

  #runIfDue(): void {
    const writers = this.#writers
    if (!writers || this.#isStopped || this.#running || !this.#upkeep.isWritable()) return
    if (this.#resting) return
    const isFull = this.#isFull && this.#commitsSince > 0
    const isMergeDue = isFull || this.#commitsSince >= this.#commitsToMerge
    const rowsToIndex = Math.max(fewestRows, this.#rows * shareOfRows)
    const isIndexDue = writers.index !== undefined && this.#rowsSince >= rowsToIndex
    if (isMergeDue) this.#run(() => this.#merge(writers))
    else if (isIndexDue) this.#run(() => this.#index(writers))
  }

  #run(work: () => Promise<void>): void {
    const began = performance.now()
    this.#running = work()
      .then(
        () => 0,
        (error: unknown) => this.#failed(error),
      )
      .then((leastRest) => {
        this.#running = undefined
        this.#rest(Math.max(leastRest, performance.now() - began))
      })
  }

  #rest(milliseconds: number): void {
    clearTimeout(this.#resting)
    if (this.#isStopped) return
    this.#resting = setTimeout(() => {
      this.#resting = undefined
      this.#runIfDue()
    }, milliseconds).unref()
  }

  async #index({ index }: Writers): Promise<void> {
    this.#rowsSince = 0
    const table = await this.#newest()
    await index?.(table)
    await this.#upkeep.renewed()
    this.#weigh(await table.stats())
  }

  /**
   * What is merged must not change meanwhile: it would be done in vain, and LanceDB keeps the files
   * of such a merger for a week.
   */
  async #merge(writers: Writers): Promise<void> {
    await writers.hold()
    try {
      this.#commitsSince = 0
      this.#rowsSince = 0
      const table = await this.#newest()
      const cleanupOlderThan = this.#isFull
        ? await this.#clear(table, writers)
        : this.#commits.oldestKept
      await table.optimize({
        cleanupOlderThan: new Date(Math.min(cleanupOlderThan, this.#upkeep.oldestRead())),
      })
      await this.#upkeep.renewed()
      this.#weigh(await table.stats())
      this.#commitsToMerge = Math.max(fewestCommits, Math.sqrt(this.#rows) * commitsARoot)
      this.#isFull &&= await this.#upkeep.isFull()
    } finally {
      writers.release()
    }
  }

  /**
   * Makes a version that needs next to nothing of what is there but the rows, and returns from when
   * versions are to be kept. It is on the disk before anything that others need is deleted.
   */
  async #clear(table: Table, { clearIndex }: Writers): Promise<number> {
    const began = Date.now()
    await clearIndex?.(table)
    await this.#upkeep.renewed()
    return clearIndex ? began : this.#commits.newest
  }

  #weigh({ numRows, totalBytes }: TableStatistics): void {
    this.#rows = numRows
    this.#bytesARow = totalBytes / Math.max(1, numRows)
  }

  async #newest(): Promise<Table> {
    const table = (this.#table ??= await this.#upkeep.open())
    await table.checkoutLatest()
    return table
  }

  /** What was not done is tried again; returns after how many milliseconds at the earliest. */
  #failed(error: unknown): number {
    this.#commitsSince = this.#commitsToMerge
    if (!this.#isStopped) this.#upkeep.failed(error)
    return faultMilliseconds
  }
}
