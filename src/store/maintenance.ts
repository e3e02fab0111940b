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

/** Keeps a table quick and its directory small. */
export class Maintenance {
  readonly #table: Table
  readonly #open: () => Promise<Table>
  /** When each of the last commits began, in milliseconds. */
  readonly #began: number[] = []
  #commitsLeft: number | undefined
  #cleaner: Table | undefined
  #cleaning: Promise<unknown> | undefined

  /** `open` gives another handle of the table. */
  constructor(table: Table, open: () => Promise<Table>) {
    this.#table = table
    this.#open = open
  }

  /** When the newest version was begun; 0 when it was found. In milliseconds. */
  get newest(): number {
    return this.#began.at(-1) ?? 0
  }

  /** To be called after every commit with when it began. */
  committed(began: number): void {
    this.#began.push(began)
    if (this.#began.length > versionsKept) this.#began.shift()
  }

  /**
   * To be called when nothing is written. Merges files once there are many, and begins to delete
   * the versions from before `inUse` but for the newest few. Those are on the disk, so that the
   * merged one may be torn like any other.
   */
  async run(inUse: number): Promise<void> {
    this.#commitsLeft ??= fewestCommits - (await this.#table.stats()).fragmentStats.numFragments
    this.#commitsLeft -= 1
    if (this.#commitsLeft > 0) return
    this.#commitsLeft = fewestCommits
    await this.#table.optimize({ cleanupOlderThan: new Date(0) })
    const rows = await this.#table.countRows()
    this.#commitsLeft = Math.max(fewestCommits, Math.sqrt(rows) * commitsARoot)
    if (!this.#cleaning && this.#began.length === versionsKept) {
      await this.#clean(new Date(Math.min(this.#began[0]!, inUse)))
    }
  }

  /** Settles when nothing is being deleted. */
  async settled(): Promise<void> {
    await this.#cleaning
  }

  /**
   * Begins to delete versions, which takes longer than writing them where a disk is told of every
   * freed block; so nobody waits for it. It goes by a handle that stays at the version just
   * compacted, and finds nothing else to do there.
   */
  async #clean(olderThan: Date): Promise<void> {
    this.#cleaner ??= await this.#open()
    await this.#cleaner.checkoutLatest()
    const done = () => (this.#cleaning = undefined)
    this.#cleaning = this.#cleaner.optimize({ cleanupOlderThan: olderThan }).then(done, done)
  }
}
