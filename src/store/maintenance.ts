import type { Table } from '@lancedb/lancedb'
import { atOnce, Background, type Turn } from './background.ts'
import { Backlog } from './backlog.ts'
import { ChoreRunner } from './chore-runner.ts'
import { Coverage, type Indexed, uncounted } from './coverage.ts'
import { dueOf, quietMilliseconds } from './due.ts'
import { areMergedEarly, filesOf } from './merged-files.ts'
import { Quiet } from './quiet.ts'
import { RecentCommits } from './recent-commits.ts'
import type { Indexes, Upkeep, Writers } from './upkeep.ts'

/**
 * Keeps a table quick and its directory small, beside its reads and writes: makes indexes and brings
 * them up to date, merges files, deletes old versions.
 */
export class Maintenance {
  readonly #upkeep: Upkeep
  #writers: Writers | undefined
  readonly #chores: ChoreRunner
  #commits = new RecentCommits([])
  readonly #backlog = new Backlog()
  readonly #coverage = new Coverage()
  /** Whether it has the indexes of a large table. */
  #isGrown = false
  readonly #background = new Background(() => this.#rested())
  readonly #quiet = new Quiet(quietMilliseconds, () => this.#runIfDue())
  #isFull = false

  constructor(upkeep: Upkeep) {
    this.#upkeep = upkeep
    const rows = () => this.#backlog.rows
    this.#chores = new ChoreRunner(upkeep, rows, (newest) => this.#follow(newest))
  }

  /** When the newest version was begun; 0 when it was found. */
  get lastCommit(): number {
    return this.#commits.newest
  }

  /** How many bytes a merger may need: all rows are written once more, and the index of words twice. */
  get room(): number {
    return 3 * this.#backlog.bytes
  }

  /** How many bytes a search by vector may read. */
  get bytesToSearch(): number {
    const { isIndexed, fresh } = this.#coverage
    const { bytes, rows } = this.#backlog
    return isIndexed ? bytes * Math.min(1, fresh / Math.max(1, rows)) : bytes
  }

  /** What of it the index of vectors holds. */
  get coverage(): Pick<Coverage, 'isIndexed' | 'until' | 'fresh' | 'gone'> {
    return this.#coverage
  }

  /** Has the indexes that a handle sees loaded, so that no search waits for that. */
  async warm(table: Table): Promise<void> {
    // Who searches will see what is wrong.
    await this.#writers?.indexes?.load(table).catch(() => undefined)
  }

  /** Begins, once it is known who writes. */
  start(writers: Writers): void {
    this.#writers = writers
    writers.fresh?.whenForgotten(() => this.#runIfDue())
    this.#runIfDue()
  }

  /**
   * To be called for every version with when it was begun, how many rows it changed, and how many it
   * took away at the most; `leavesFile` as in `Backlog`.
   */
  committed(began: number, rows: number, gone: number, leavesFile = true): void {
    this.#commits.add(began)
    this.mayHaveCommitted(rows, gone, leavesFile)
  }

  /** To be called for a commit that failed, with what it changed if it is done all the same. */
  mayHaveCommitted(rows: number, gone: number, leavesFile = true): void {
    this.#backlog.committed(rows, leavesFile)
    this.#coverage.written(rows, gone)
    this.#quiet.begin()
    this.#runIfDue()
  }

  /** To be called when the table is opened: an earlier life may have left much to do. */
  async takeStock(table: Table, { indexes: kept, fresh, areWordsNew }: Writers): Promise<void> {
    const [stats, versions, indexes] = await Promise.all([
      table.stats(),
      // Where an older one cannot be read, the newest can.
      table.listVersions().catch(() => []),
      table.listIndices(),
    ])
    this.#commits = new RecentCommits(versions.map(({ timestamp }) => timestamp))
    this.#backlog.takeStock(stats, indexes)
    if (!kept) return
    const state = await kept.state(table)
    const until = await kept.newest(table)
    this.#isGrown = state.hasVectors
    this.#coverage.open(state, until, areWordsNew ? 0 : uncounted)
    fresh?.record()
    fresh?.recorded(until ?? '')
  }

  /** To be called when a write was refused for want of room: whatever is not needed is deleted. */
  makeRoom(): void {
    // Once that was done, only what is deleted since gives more.
    if (this.#isFull) return
    this.#isFull = true
    this.#backlog.committed(0)
    this.#runIfDue()
  }

  /** Does no more, and settles when nothing is being done, or in two seconds. */
  stop(): Promise<void> {
    return this.#background.stop()
  }

  /** Does no more, and settles when nothing is being done. */
  stopWhole(): Promise<void> {
    return this.#background.stopWhole()
  }

  #runIfDue(): void {
    const writers = this.#writers
    if (!writers || !this.#background.isFree || !this.#upkeep.isWritable()) return
    const due = dueOf({
      ...writers,
      backlog: this.#backlog,
      coverage: this.#coverage,
      isQuiet: this.#quiet.isReached,
      isGrown: this.#isGrown,
      isFull: this.#isFull,
    })
    const { indexes } = writers
    if (due === 'merge') this.#run(() => this.#merge(writers))
    else if (due === 'index' && indexes) this.#run(() => this.#index(indexes))
  }

  /** By now no search goes by what the indexes held before. */
  #rested(): void {
    this.#forgetIndexed()
    this.#runIfDue()
  }

  /** What cannot be followed is read again by who finds it. */
  async #follow(newest: () => Promise<Table>): Promise<void> {
    const follow = this.#writers?.follow
    if (!follow) return
    await newest()
      .then(follow)
      .catch(() => undefined)
  }

  #forgetIndexed(): void {
    const { until } = this.#coverage
    if (until !== undefined) this.#writers?.fresh?.keepAfter(until)
  }

  #run(work: () => Promise<void>): void {
    const workOnce = async () => {
      // While it waited for its turn the disk may have failed.
      if (this.#upkeep.isWritable()) await work().finally(() => this.#chores.rest())
    }
    const failed = (error: unknown) => {
      // What was not done is tried again.
      this.#backlog.failed()
      if (!this.#background.isStopped) this.#upkeep.failed(error)
    }
    this.#background.run(workOnce, failed, this.#turn)
  }

  /** To merge the files of a table without indexes takes hardly anything. */
  get #turn(): Turn {
    const isMuchHere = this.#writers?.indexes !== undefined && !this.#chores.areElsewhere
    return isMuchHere ? this.#upkeep.inTurn : atOnce
  }

  /** Makes the index of words anew, and what else a large table needs. */
  #index(indexes: Indexes): Promise<void> {
    this.#backlog.indexing()
    return this.#extend(indexes, async () => {
      await this.#chores.run({ kind: 'words' })
      await this.#tellOfWords(indexes)
      return { hasVectors: await this.#grow(indexes), areWordsNew: true }
    })
  }

  /**
   * What is merged must not change until it is: it would be done in vain, and LanceDB keeps the files
   * of such a merger for a week.
   */
  async #merge(writers: Writers): Promise<void> {
    const { indexes } = writers
    const wasIndexed = this.#coverage.isIndexed
    await this.#extend(indexes, async () => {
      await writers.hold()
      try {
        await this.#optimize(writers)
      } finally {
        writers.release()
      }
      if (indexes) await this.#tellOfWords(indexes)
      if (!wasIndexed) await this.#grow(indexes)
      const state = await indexes?.state(await this.#chores.newest())
      return { hasVectors: state?.hasVectors ?? false, areWordsNew: false }
    })
    if (!wasIndexed) return
    // To make an index anew may take long. Searches of before look in the files from here on.
    this.#forgetIndexed()
    await this.#grow(indexes)
  }

  async #optimize(writers: Writers): Promise<void> {
    this.#backlog.merging()
    // Else what searches read is from after the last merger, and all of that would be kept for them.
    await this.#upkeep.renewed()
    const kept = this.#isFull ? await this.#clear(writers) : this.#commits.oldestKept
    const olderThan = Math.min(kept, this.#upkeep.oldestRead())
    const files = await filesOf(await this.#chores.newest())
    const merger = this.#chores.run({ kind: 'merge', olderThan })
    // Where that fails, who waits does so until all is done.
    const release = this.#releaseEarly(writers, files, merger).catch(() => undefined)
    await Promise.all([merger, release])
    this.#isFull &&= await this.#upkeep.isFull()
  }

  /**
   * Lets those who wait for files to be merged go on once they are: what is still to be done then is to
   * bring indexes up to date, which is done beside any write, and takes more than half of the time: at
   * 40,000 fragments 1.4 of 2.5 seconds, at 15,000 .8 of .9.
   */
  async #releaseEarly(writers: Writers, files: number, merger: Promise<unknown>): Promise<void> {
    const table = await this.#upkeep.open()
    try {
      if (!(await areMergedEarly(table, files, writers.isAwaited, merger))) return
      await this.#follow(async () => table)
      await this.#upkeep.renewed()
      writers.release()
    } finally {
      table.close()
    }
  }

  /** Does what has the indexes hold all rows that are there now. */
  async #extend(indexes: Indexes | undefined, index: () => Promise<Indexed>): Promise<void> {
    const before = this.#coverage.until
    const fresh = this.#writers?.fresh
    const newest = async () => {
      fresh?.record()
      // What was not recorded has to be in the table when its newest row is asked for.
      if (fresh) await this.#upkeep.settled()
      const stamp = await indexes?.newest(await this.#chores.newest())
      fresh?.recorded(stamp ?? '')
      return stamp
    }
    await this.#coverage.extend(newest, index)
    // A search that began before goes by what the indexes held then.
    if (before !== undefined) fresh?.keepAfter(before)
  }

  /**
   * Makes what indexes a large table needs more, beside any write.
   * @returns whether that of vectors was made
   */
  async #grow(indexes: Indexes | undefined): Promise<boolean> {
    this.#backlog.weigh(await (await this.#chores.newest()).stats())
    if (!indexes || this.#backlog.rows < indexes.fewestRows) return false
    this.#isGrown = true
    this.#coverage.grow()
    await this.#chores.run({ kind: 'columns' })
    return this.#chores.run({ kind: 'vectors' })
  }

  async #tellOfWords(indexes: Indexes): Promise<void> {
    this.#upkeep.indexed(await indexes.bytesOfWords(await this.#chores.newest()))
  }

  /**
   * Makes a version that needs next to nothing of what is there but the rows, and returns from when
   * versions are to be kept. It is on the disk before anything that others need is deleted.
   */
  async #clear({ indexes, fresh }: Writers): Promise<number> {
    const began = Date.now()
    if (!indexes) return this.#commits.newest
    // From here on searches are not to rely on that of words: they read the rows.
    fresh?.forget()
    this.#coverage.forget()
    await indexes.clear(await this.#chores.newest())
    await this.#upkeep.renewed(began)
    return began
  }
}
