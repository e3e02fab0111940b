import type { Table } from '@lancedb/lancedb'

/**
 * Every commit leaves a file, which costs each later commit and read about a tenth of a millisecond
 * until the files are merged; that takes some milliseconds, and one for every 20 to 60 rows. The sum
 * is least where the commits between two mergers grow with the root of the rows.
 */
const fewestCommits = 16
const commitsARoot = 0.5

/** A query reads every row that is not in the index of words yet: 100 of them take a millisecond. */
const fewestRows = 64

/** After each run maintenance rests, so many times as long as the run took; longer after a fault. */
const restShare = 2
const faultMilliseconds = 5_000

/** Versions that are there to go back to, should the newest be torn. */
const versionsKept = 8

/** What maintenance needs of whoever opened the table. */
export type Upkeep = {
  /** Gives another handle of the table. */
  open: () => Promise<Table>
  /** Called when there is a newer version: it is to be read, and to be put on the disk. */
  renewed: () => Promise<void>
  /** When the oldest version that somebody reads was begun; `Infinity` where nobody does. */
  oldestRead: () => number
  /** Whether anything may be written at all. */
  isWritable: () => boolean
  /** Told what went wrong where nobody waits. */
  failed: (error: unknown) => void
}

/**
 * Keeps a table quick and its directory small: merges its files, brings its indexes up to date and
 * deletes old versions, beside its reads and writes. Times are in milliseconds since 1970.
 */
export class Maintenance {
  readonly #upkeep: Upkeep
  #table: Table | undefined
  /** When each of the newest versions was begun. */
  #commits: number[] = []
  /** What came since the last run began. */
  #commitsSince = 0
  #rowsSince = 0
  #commitsToMerge = fewestCommits
  #running: Promise<void> | undefined
  #resting: NodeJS.Timeout | undefined
  #isStopped = false
  #isFull = false
  /** The change of rows that is being made. */
  #rewriting: Promise<unknown> | undefined

  constructor(upkeep: Upkeep) {
    this.#upkeep = upkeep
  }

  /** When the newest version was begun; 0 when it was found. */
  get lastCommit(): number {
    return this.#commits.at(-1) ?? 0
  }

  /** To be called for every version with when it was begun and how many rows it changed. */
  committed(began: number, rows: number): void {
    this.#commits.push(began)
    if (this.#commits.length > versionsKept) this.#commits.shift()
    this.#commitsSince += 1
    this.#rowsSince += rows
    this.#startIfDue()
  }

  /** To be called when the table is opened: an earlier life may have left much to do. */
  async takeStock(table: Table): Promise<void> {
    const [stats, versions, indexes] = await Promise.all([
      table.stats(),
      table.listVersions(),
      table.listIndices(),
    ])
    const times = versions.map(({ timestamp }) => timestamp.getTime()).toSorted((a, b) => a - b)
    this.#commits = times.slice(-versionsKept)
    this.#commitsSince = stats.fragmentStats.numFragments
    for (const { name } of indexes) {
      this.#rowsSince += (await table.indexStats(name))?.numUnindexedRows ?? 0
    }
    this.#startIfDue()
  }

  /** Where the disk is full, old versions are deleted at once, all but one. */
  setFull(isFull: boolean): void {
    this.#isFull = isFull
    if (isFull) this.#startIfDue()
  }

  /**
   * Does work that rewrites or deletes rows. What maintenance merges must not change meanwhile: it
   * would be done in vain, and LanceDB keeps the files of such a run for a week.
   */
  async rewrite<T>(work: () => Promise<T>): Promise<T> {
    while (this.#running) await this.#running
    const rewriting = work()
    this.#rewriting = rewriting.catch(() => undefined)
    return rewriting
  }

  /** Does no more, and settles when nothing is being done. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#resting)
    await this.#running
  }

  #startIfDue(): void {
    if (this.#isStopped || this.#running || this.#resting || !this.#isDue()) return
    const began = performance.now()
    this.#running = this.#run()
      .then(
        () => 0,
        (error: unknown) => this.#failed(error),
      )
      .then((leastRest) => {
        this.#running = undefined
        this.#rest(Math.max(leastRest, (performance.now() - began) * restShare))
      })
  }

  #isDue(): boolean {
    const isMuch = this.#rowsSince >= fewestRows || this.#commitsSince >= this.#commitsToMerge
    return (isMuch || this.#isFull) && this.#upkeep.isWritable()
  }

  #rest(milliseconds: number): void {
    if (this.#isStopped) return
    this.#resting = setTimeout(() => {
      this.#resting = undefined
      this.#startIfDue()
    }, milliseconds).unref()
  }

  async #run(): Promise<void> {
    await this.#rewriting
    this.#commitsSince = 0
    this.#rowsSince = 0
    const table = (this.#table ??= await this.#upkeep.open())
    await table.checkoutLatest()
    if (this.#isFull) {
      await table.optimize({ cleanupOlderThan: new Date(0) })
      // Only what is on the disk may take the place of all that is deleted.
      await this.#upkeep.renewed()
    }
    await table.optimize({ cleanupOlderThan: this.#oldestKept() })
    await this.#upkeep.renewed()
    this.#commitsToMerge = Math.max(
      fewestCommits,
      Math.sqrt(await table.countRows()) * commitsARoot,
    )
  }

  #oldestKept(): Date {
    const kept = this.#isFull ? Date.now() : (this.#commits.at(-versionsKept) ?? 0)
    return new Date(Math.min(kept, this.#upkeep.oldestRead()))
  }

  /** What was not done is tried again; returns after how many milliseconds at the earliest. */
  #failed(error: unknown): number {
    this.#commitsSince = this.#commitsToMerge
    this.#upkeep.failed(error)
    return faultMilliseconds
  }
}
