import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import type { Deadline } from '../../scheduling/deadline.ts'

export type Stamp = () => string

export type Write = {
  /** What it changes; two writes that change the same are never in one group. */
  touches?: string
  rows: number
  /** Whether it changes or deletes rows that are there, so that `hold` stops it. */
  rewrites?: boolean
}

/**
 * Does writes together: all or none. `isRetry` when they were tried before and may, though that
 * failed, be done.
 */
export type Commit<W> = (writes: W[], stamp: Stamp, isRetry: boolean) => Promise<void>

type Waiting<W> = PromiseWithResolvers<void> & { write: W; deadline: Deadline | undefined }

const maxWrites = 512
const maxRows = 1_024
const gatherMilliseconds = 5
/**
 * A compaction is committed between two commits of ours, or given up after 30 s. One that has taken so
 * long already has many of them to reconcile itself with, and is given room.
 */
const longHoldMilliseconds = 1_000
const pauseBesideLongHold = 100

/**
 * Group commit: everything that waits for a table goes into one commit, one commit at a time. LanceDB's
 * commits to one table conflict side by side, and each costs the same few milliseconds whatever is in it.
 */
export class WriteQueue<W extends Write> {
  readonly #commit: Commit<W>
  #waiting: Waiting<W>[] = []
  #between: (PromiseWithResolvers<void> & { work: () => Promise<void> })[] = []
  #working: Promise<void> | undefined
  #heldSince: number | undefined
  #gathering: { expected: number; resolve: () => void } | undefined
  #stamped = 0
  #closed: (() => Error) | undefined

  constructor(commit: Commit<W>) {
    this.#commit = commit
  }

  /**
   * Settles when the write is done. Writes that touch the same are done in the order they came; one
   * that fails takes no other along.
   * @throws what `close` was given, once the queue is closed; ServiceError `request_timeout` when
   * its request has no time left as its turn comes
   */
  write(write: W, deadline?: Deadline): Promise<void> {
    const waiting = { ...Promise.withResolvers<void>(), write, deadline }
    this.#waiting.push(waiting)
    this.#checkGathering()
    this.#wake()
    return waiting.promise
  }

  /**
   * Does work at a moment when nothing is being written; settles as the work does.
   * @throws what `close` was given, once the queue is closed
   */
  between(work: () => Promise<void>): Promise<void> {
    const waiting = { ...Promise.withResolvers<void>(), work }
    this.#between.push(waiting)
    this.#wake()
    return waiting.promise
  }

  /** From when this settles until `release`, rows are added but those that are there do not change. */
  hold(): Promise<void> {
    return this.between(() => {
      this.#heldSince = performance.now()
      return Promise.resolve()
    })
  }

  release(): void {
    this.#heldSince = undefined
    this.#wake()
  }

  /** To be called with the newest time that rows were stamped with in an earlier life. */
  stampAfter(stamp: string): void {
    this.#stamped = Math.max(this.#stamped, Date.parse(stamp))
  }

  /** Refuses everything that has not started yet, with the error `reason` makes. */
  close(reason: () => Error): void {
    this.#closed ??= reason
    this.#wake()
  }

  /** Settles when nothing is left to write but what is held. */
  async idle(): Promise<void> {
    while (this.#working) await this.#working
  }

  #wake(): void {
    if (this.#hasWork()) this.#working ??= this.#work()
  }

  #hasWork(): boolean {
    return this.#between.length > 0 || this.#waiting.some((waiting) => !this.#isHeld(waiting))
  }

  async #work(): Promise<void> {
    while (this.#hasWork()) {
      await this.#doBetween()
      await setImmediate()
      const group = this.#take().filter((waiting) => this.#begin(waiting))
      if (group.length === 0) continue
      await this.#settle(group, false)
      if (this.#isLongHeld) await pause(pauseBesideLongHold)
      else if (group.length > 1) await this.#gather(group.length + this.#waiting.length)
    }
    this.#working = undefined
  }

  get #isLongHeld(): boolean {
    const since = this.#heldSince
    return since !== undefined && performance.now() - since > longHoldMilliseconds
  }

  #isHeld({ write }: Waiting<W>): boolean {
    return this.#heldSince !== undefined && write.rewrites === true && !this.#closed
  }

  async #doBetween(): Promise<void> {
    for (const { work, resolve, reject } of this.#between.splice(0)) {
      try {
        if (this.#closed) throw this.#closed()
        resolve(await work())
      } catch (error) {
        reject(error)
      }
    }
  }

  /**
   * Waits a moment for clients that were answered together: they come straight back, and would else fall
   * into two halves that wait for each other's commit. Writes that come one at a time wait for nobody.
   */
  async #gather(expected: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, gatherMilliseconds)
    this.#gathering = { expected, resolve }
    this.#checkGathering()
    await promise
    clearTimeout(timer)
    this.#gathering = undefined
  }

  #checkGathering(): void {
    if (this.#gathering && this.#waiting.length >= this.#gathering.expected) {
      this.#gathering.resolve()
    }
  }

  /** The next group; what is left over keeps its order. */
  #take(): Waiting<W>[] {
    const group: Waiting<W>[] = []
    const later: Waiting<W>[] = []
    const touched = new Set<string>()
    let rows = 0
    for (const waiting of this.#waiting) {
      const { touches } = waiting.write
      const isHeld = this.#isHeld(waiting)
      if (!isHeld) rows += waiting.write.rows
      const hasRoom = group.length === 0 || (group.length < maxWrites && rows <= maxRows)
      const isFree = touches === undefined || !touched.has(touches)
      if (hasRoom && isFree && !isHeld) group.push(waiting)
      else later.push(waiting)
      if (touches !== undefined) touched.add(touches)
    }
    this.#waiting = later
    return group
  }

  #begin({ deadline, reject }: Waiting<W>): boolean {
    try {
      if (this.#closed) throw this.#closed()
      deadline?.begin()
      return true
    } catch (error) {
      reject(error)
      return false
    }
  }

  async #settle(group: Waiting<W>[], isRetry: boolean): Promise<void> {
    try {
      const writes = group.map(({ write }) => write)
      await this.#commit(writes, this.#stamp, isRetry)
      for (const { resolve } of group) resolve()
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error)
      else for (const waiting of group) await this.#settle([waiting], true)
    }
  }

  /** Strictly rising, so that no page of a list in this order changes once it was read. */
  #stamp: Stamp = () => {
    this.#stamped = Math.max(Date.now(), this.#stamped + 1)
    return new Date(this.#stamped).toISOString()
  }
}
