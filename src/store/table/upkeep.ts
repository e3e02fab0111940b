import type { Log } from '../../process/log.ts'
import { StorageFull } from '../../errors/errors.ts'
import { ifPersistent } from '../disk/damage.ts'
import type { OpenTable } from './open-table.ts'
import { Background, settle, type AwaitedWork } from './background.ts'
import { Compaction, type Holdable } from './compaction.ts'
import { isErased, type Job } from './job.ts'
import type { IndexKeeper } from './index-keeper.ts'
import type { Jobs } from './jobs.ts'

const quietMilliseconds = 2_000
const minFreeToAdd = 64 * 1024 * 1024
/** All rows once more, and the index of words twice. */
const copiesOfCompaction = 3

/** Maintains a table unless another server does. @returns whether the work was done */
export type Alone = (table: string, work: () => Promise<void>) => Promise<boolean>

type UpkeepParts = {
  table: OpenTable
  queue: Holdable
  jobs: Jobs
  alone: Alone | undefined
  log: Log
  isGone: () => Promise<boolean>
}

type Due = { kind: Job['kind']; work: () => Promise<void> }

/** Keeps one table quick and its directory small, beside its reads and writes. */
export class Upkeep {
  readonly #table: OpenTable
  readonly #parts: UpkeepParts
  readonly #compaction: Compaction
  readonly #indexes: IndexKeeper | undefined
  readonly #background = new Background(() => this.#beginIfDue())
  #quietTimer: NodeJS.Timeout | undefined
  #isQuiet = false
  #isDiskFull = false
  #erasing: AwaitedWork | undefined

  constructor(parts: UpkeepParts, indexes?: IndexKeeper) {
    const { table, queue, jobs } = parts
    this.#table = table
    this.#parts = parts
    this.#compaction = new Compaction(table, queue, jobs)
    this.#indexes = indexes
  }

  async start(): Promise<void> {
    await this.#reloadStats()
    await this.#indexes?.start()
    this.#isQuiet = true
    this.#background.rest(await this.#parts.jobs.restOf(this.#table))
  }

  committed(written: number, deleted = 0, leavesFile = true): void {
    if (leavesFile) this.#compaction.countFile()
    this.#indexes?.rowsChanged(written, deleted)
    this.#isQuiet = false
    clearTimeout(this.#quietTimer)
    this.#quietTimer = setTimeout(() => {
      this.#isQuiet = true
      this.#beginIfDue()
    }, quietMilliseconds).unref()
    this.#beginIfDue()
  }

  /** Call before adding rows: the last room is for deletes and compaction. @throws StorageFull */
  async checkRoom(): Promise<void> {
    this.#isDiskFull = !(await this.#hasRoom())
    if (!this.#isDiskFull) return
    // A read may have kept old versions last time, so each refusal tries again.
    this.#compaction.countFile()
    this.#beginIfDue()
    throw new StorageFull()
  }

  /** Removes deleted rows from the disk. @throws if some may remain */
  async erase(): Promise<void> {
    if (await this.#table.read(isErased)) return
    if (!(await this.#hasRoom())) throw new StorageFull()
    const rewrite = () => this.#compaction.compact(undefined, true)
    await this.#inTurn(() => this.#indexes?.coveringAnew(rewrite) ?? rewrite())
    const newest = await this.#table.settle()
    await this.#table.versions.readsEnded()
    // Older versions go only now, because a power cut may tear a version that is not durable.
    await this.#inTurn(() => this.#compact(newest))
  }

  stop(): Promise<void> {
    this.#cancelErase()
    return this.#background.stop()
  }

  finish(): Promise<void> {
    this.#cancelErase()
    return this.#background.finish()
  }

  #cancelErase(): void {
    clearTimeout(this.#quietTimer)
    this.#erasing?.reject(stopped())
  }

  #hasRoom(): Promise<boolean> {
    const { bytes, volume } = this.#table
    return volume.hasRoom(Math.max(minFreeToAdd, copiesOfCompaction * bytes))
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    if (this.#background.isStopped || !this.#table.volume.isSound) throw stopped()
    this.#erasing = { ...Promise.withResolvers<void>(), work, hasBegun: false }
    this.#beginIfDue()
    return this.#erasing.promise
  }

  get #isCompactionDue(): boolean {
    const isRoomDue = this.#isDiskFull && this.#compaction.hasFiles
    return isRoomDue || this.#compaction.isDue || this.#indexes?.hasBacklog(this.#isQuiet) === true
  }

  #beginIfDue(): void {
    const due = this.#background.isFree ? this.#due() : undefined
    if (due && this.#table.volume.isSound) this.#begin(due)
  }

  #due(): Due | undefined {
    const indexes = this.#indexes
    const erasing = this.#erasing
    if (erasing?.hasBegun === false) return { kind: 'compact', work: () => settle(erasing) }
    if (indexes?.hasWordBacklog) return { kind: 'words', work: () => indexes.makeWords() }
    if (indexes?.isBuildDue(this.#isCompactionDue)) {
      return { kind: 'index', work: () => indexes.build() }
    }
    return this.#isCompactionDue ? { kind: 'compact', work: () => this.#compact() } : undefined
  }

  #begin(due: Due): void {
    const mutex = this.#parts.jobs.mutexOf(this.#table, due.kind)
    const failed = (error: unknown) => void this.#failed(error)
    this.#background.begin(mutex, () => this.#do(due), failed)
  }

  async #failed(err: unknown): Promise<void> {
    if (this.#background.isStopped) return
    if (await this.#parts.isGone()) return this.finish()
    const { name: table } = this.#table
    const details = { err, table, next: ifPersistent(table) }
    this.#parts.log.warn(details, 'a table could not be maintained')
  }

  async #do(due: Due): Promise<boolean> {
    const { alone } = this.#parts
    if (alone) return this.#doAlone(alone, due.kind)
    await due.work()
    return true
  }

  /** Another server may have done it by now. */
  async #doAlone(alone: Alone, kind: Due['kind']): Promise<boolean> {
    await this.#reloadStats()
    await this.#indexes?.readState()
    const due = this.#due()
    return due?.kind !== kind || alone(this.#table.name, () => this.#logged(due))
  }

  async #logged({ kind: job, work }: Due): Promise<void> {
    const { name: table } = this.#table
    this.#parts.log.debug({ table, job }, 'maintaining a table')
    await work()
    this.#parts.log.debug({ table, job }, 'maintained a table')
  }

  async #reloadStats(): Promise<void> {
    this.#compaction.reloadStats(await this.#table.reloadStats())
  }

  async #compact(oldestKept?: number): Promise<void> {
    const oldest = this.#isDiskFull ? await this.#dropAllUnneeded() : oldestKept
    const compact = () => this.#compaction.compact(oldest)
    await (this.#indexes ? this.#indexes.covering(compact) : compact())
    await this.#table.reloadStats()
    this.#isDiskFull &&= !(await this.#hasRoom())
    await this.#indexes?.readState()
  }

  /** @returns the time of a version that needs little beside the rows */
  async #dropAllUnneeded(): Promise<number> {
    if (!this.#indexes) return this.#table.versions.newest
    const began = Date.now()
    await this.#indexes.clearWords()
    return began
  }
}

const stopped = (): Error => new Error('The table is written no more.')
