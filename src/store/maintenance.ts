import type { Table } from '@lancedb/lancedb'

/**
 * Every commit leaves a file that each search opens. Compaction writes all rows anew, so a large
 * table waits for more commits: searching the files it has by then costs a tenth of searching its
 * rows.
 */
const fewestCommits = 32
const rowsACommit = 500

/** Versions that are there to go back to, should the newest be torn. */
const versionsKept = 8

/** Keeps a table quick and its directory small. */
export class Maintenance {
  readonly #table: Table
  readonly #sync: () => Promise<void>
  #commitsLeft: number | undefined

  /** `sync` puts what was written to the table on the disk. */
  constructor(table: Table, sync: () => Promise<void>) {
    this.#table = table
    this.#sync = sync
  }

  /**
   * To be called after every commit, when nothing is written. Merges files once there are many, and
   * deletes the versions older than `inUse` but for the newest few.
   */
  async afterCommit(inUse: () => Date): Promise<void> {
    this.#commitsLeft ??= fewestCommits - (await this.#table.stats()).fragmentStats.numFragments
    this.#commitsLeft -= 1
    if (this.#commitsLeft > 0) return
    this.#commitsLeft = fewestCommits
    await this.#table.optimize({ cleanupOlderThan: new Date(0) })
    // Only what is on the disk may take the place of what is deleted.
    await this.#sync()
    await this.#table.optimize({ cleanupOlderThan: await this.#oldestKept(inUse()) })
    const rows = await this.#table.countRows()
    this.#commitsLeft = Math.max(fewestCommits, rows / rowsACommit)
  }

  /** When the oldest version to keep was made: the one that was current at `inUse`, or before it. */
  async #oldestKept(inUse: Date): Promise<Date> {
    const versions = await this.#table.listVersions()
    const times = versions.map(({ timestamp }) => timestamp).toSorted((a, b) => +a - +b)
    const current = times.findLast((time) => time <= inUse) ?? new Date(0)
    const few = times.at(-versionsKept) ?? new Date(0)
    return current < few ? current : few
  }
}
