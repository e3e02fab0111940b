import type { Table } from '@lancedb/lancedb'

/**
 * Every commit leaves a file, which costs each later commit and read about a tenth of a millisecond
 * until compaction puts all rows into one; that costs some milliseconds, and one for every 60 rows.
 * The sum is least where the commits between two compactions grow with the root of the rows.
 */
const fewestCommits = 16
const commitsARoot = 0.5

/** Versions that are there to go back to, should the newest be torn. */
const versionsKept = 8

/** What maintenance needs of whoever opened the table. */
export type Upkeep = {
  /** Gives another handle of the table. */
  open: () => Promise<Table>
  /** Puts everything committed on the disk. */
  sync: () => Promise<void>
  /** Told what went wrong where nobody waits. */
  failed: (error: unknown) => void
}

/** Keeps a table quick and its directory small. Times are in milliseconds since 1970. */
export class Maintenance {
  readonly #table: Table
  readonly #upkeep: Upkeep
  /** When each of the newest versions was begun, all of them on the disk. */
  #commits: number[] = []
  #commitsLeft: number | undefined
  #cleaner: Table | undefined
  #cleaning: Promise<unknown> | undefined

  constructor(table: Table, upkeep: Upkeep) {
    this.#table = table
    this.#upkeep = upkeep
  }

  /** When the newest version was begun; 0 when it was found. */
  get lastCommit(): number {
    return this.#commits.at(-1) ?? 0
  }

  /** To be called for every version with when it was begun. */
  committed(began: number): void {
    this.#commits.push(began)
    if (this.#commits.length > versionsKept) this.#commits.shift()
  }

  /**
   * To be called when nothing is written and all is synced. Merges files once there are many, and
   * begins to delete versions but for the newest few and those since `oldestRead`. Where the disk is
   * full it does so at once, and keeps one.
   */
  async run(oldestRead: () => number, isFull: boolean): Promise<void> {
    this.#commitsLeft ??= await this.#takeStock()
    this.#commitsLeft -= 1
    if (this.#commitsLeft > 0 && !isFull) return
    this.#commitsLeft = fewestCommits
    await this.#table.optimize({ cleanupOlderThan: new Date(0) })
    // Only what is on the disk may take the place of what is deleted.
    await this.#upkeep.sync()
    const rows = await this.#table.countRows()
    this.#commitsLeft = Math.max(fewestCommits, Math.sqrt(rows) * commitsARoot)
    const kept = isFull ? Date.now() : this.#commits.at(-versionsKept)
    if (kept !== undefined) await this.#clean(new Date(Math.min(kept, oldestRead())))
  }

  /** Settles when nothing is being deleted. */
  async settled(): Promise<void> {
    await this.#cleaning
  }

  /** An earlier life may have left many files and versions. */
  async #takeStock(): Promise<number> {
    const [stats, versions] = await Promise.all([this.#table.stats(), this.#table.listVersions()])
    const times = versions.map(({ timestamp }) => timestamp.getTime()).toSorted((a, b) => a - b)
    this.#commits = times.slice(-versionsKept)
    return fewestCommits - stats.fragmentStats.numFragments
  }

  /**
   * Begins to delete versions, which takes longer than writing them where a disk is told of every
   * freed block; so nobody waits for it. It goes by a handle that stays at the version just
   * compacted, and finds nothing else to do there.
   */
  async #clean(olderThan: Date): Promise<void> {
    if (this.#cleaning) return
    this.#cleaner ??= await this.#upkeep.open()
    await this.#cleaner.checkoutLatest()
    this.#cleaning = this.#cleaner
      .optimize({ cleanupOlderThan: olderThan })
      .catch(this.#upkeep.failed)
      .finally(() => (this.#cleaning = undefined))
  }
}
