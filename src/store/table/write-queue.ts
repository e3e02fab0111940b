import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import type { Deadline } from '../../process/deadline.ts'
import { DiskFailed } from '../disk/folder-sync.ts'
import { triesFor } from '../lance/faults.ts'

export type Write = {
  /** Writes with a value in common keep their order, and never share a commit. */
  touches?: readonly string[]
  rows: number
  /** Whether it changes or deletes rows. It then waits while the queue is on hold. */
  rewrites?: boolean
}

/** Does all of the writes or none. A retry finds a failed commit that was done anyway. */
export type Commit<W> = (writes: W[], isRetry: boolean) => Promise<void>

/** Whether the table is on an object store, and other servers write to it now. */
type Sharing = { volume: { isShared: boolean }; othersWrite: boolean }

type Waiting<W> = PromiseWithResolvers<void> & { write: W; deadline: Deadline | undefined }

const maxWrites = 512
const maxRows = 1_024
/** LanceDB's compaction needs a moment between two commits, and gives up after 30 s without one. */
const longHoldMilliseconds = 1_000
const pauseBesideLongHold = 100
/** In ms, for other servers to commit. Otherwise LanceDB lets some conflicting ones wait for a minute. */
const maxTurn = 500
const [maxOwnGap, maxSharedGap] = [5, 40]

/** Group commit: all waiting writes share one commit, because LanceDB's commits to a table conflict. */
export class WriteQueue<W extends Write> {
  readonly #commit: Commit<W>
  readonly #sharing: Sharing | undefined
  readonly #linger: CommitLinger
  #waiting: Waiting<W>[] = []
  #holds: PromiseWithResolvers<void>[] = []
  #working: Promise<void> | undefined
  #heldSince: number | undefined
  #closed: (() => Error) | undefined

  constructor(commit: Commit<W>, sharing?: Sharing) {
    this.#commit = commit
    this.#sharing = sharing
    this.#linger = new CommitLinger(sharing?.volume.isShared ? maxSharedGap : maxOwnGap)
  }

  /** Settles when the write is done. @throws the reason of `close`; `request_timeout` if no time is left */
  write(write: W, deadline?: Deadline): Promise<void> {
    const waiting = { ...Promise.withResolvers<void>(), write, deadline }
    this.#waiting.push(waiting)
    this.#linger.arrived(this.#waiting.length)
    this.#wake()
    return waiting.promise
  }

  /** Once it settles and until `release`, rows are added, but none change. @throws the reason of `close` */
  hold(): Promise<void> {
    const waiting = Promise.withResolvers<void>()
    this.#holds.push(waiting)
    this.#wake()
    return waiting.promise
  }

  get isOnHold(): boolean {
    return this.#heldSince !== undefined
  }

  release(): void {
    this.#heldSince = undefined
    this.#wake()
  }

  close(reason: () => Error): void {
    this.#closed ??= reason
    this.#wake()
  }

  async idle(): Promise<void> {
    while (this.#working) await this.#working
  }

  #wake(): void {
    if (this.#hasWork()) this.#working ??= this.#work()
  }

  #hasWork(): boolean {
    return this.#holds.length > 0 || this.#waiting.some((waiting) => !this.#isHeld(waiting))
  }

  async #work(): Promise<void> {
    while (this.#hasWork()) {
      this.#beginHolds()
      await setImmediate()
      const group = this.#take().filter((waiting) => this.#begin(waiting))
      if (group.length === 0) continue
      const began = performance.now()
      await this.#settle(group, false)
      const took = performance.now() - began
      if (this.#sharing?.othersWrite) await pause(Math.random() * 2 * Math.min(took, maxTurn))
      if (this.#isLongHeld) await pause(pauseBesideLongHold)
      else if (group.length > 1) {
        await this.#linger.waitFor(group.length + this.#waiting.length, took)
      }
    }
    this.#working = undefined
  }

  get #isLongHeld(): boolean {
    return performance.now() - (this.#heldSince ?? Infinity) > longHoldMilliseconds
  }

  #isHeld({ write }: Waiting<W>): boolean {
    return this.isOnHold && write.rewrites === true && !this.#closed
  }

  #beginHolds(): void {
    for (const { resolve, reject } of this.#holds.splice(0)) {
      if (this.#closed) reject(this.#closed())
      else {
        this.#heldSince = performance.now()
        resolve()
      }
    }
  }

  #take(): Waiting<W>[] {
    const group: Waiting<W>[] = []
    const later: Waiting<W>[] = []
    const touched = new Set<string>()
    let rows = 0
    for (const waiting of this.#waiting) {
      const { touches = [] } = waiting.write
      const isHeld = this.#isHeld(waiting)
      if (!isHeld) rows += waiting.write.rows
      const hasRoom = group.length === 0 || (group.length < maxWrites && rows <= maxRows)
      const isFree = !touches.some((one) => touched.has(one))
      if (hasRoom && isFree && !isHeld) group.push(waiting)
      else later.push(waiting)
      for (const one of touches) touched.add(one)
    }
    this.#waiting = later
    return group
  }

  #begin({ deadline, reject }: Waiting<W>): boolean {
    try {
      if (this.#closed) throw this.#closed()
      deadline?.beginWrite()
      return true
    } catch (error) {
      reject(error)
      return false
    }
  }

  async #settle(group: Waiting<W>[], isRetry: boolean, tries = 1): Promise<void> {
    try {
      const writes = group.map(({ write }) => write)
      await this.#commit(writes, isRetry)
      for (const { resolve } of group) resolve()
    } catch (error) {
      if (tries < triesFor(error)) return this.#settle(group, true, tries + 1)
      // On a failed disk a retry would report that no write was stored, although the first try may be.
      const isFinal = group.length === 1 || error instanceof DiskFailed
      if (isFinal) for (const { reject } of group) reject(error)
      else for (const waiting of group) await this.#settle([waiting], true)
    }
  }
}

/** Waits for the clients of the last commit, so that they share the next one too. */
class CommitLinger {
  readonly #maxGap: number
  #open: { expected: number; end: () => void; more: () => void } | undefined

  /** @param maxGap in ms, between one write and the next */
  constructor(maxGap: number) {
    this.#maxGap = maxGap
  }

  /** Settles when `expected` writes wait, after a gap without one, or after `commitTook` ms. */
  async waitFor(expected: number, commitTook: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const gap = setTimeout(resolve, this.#maxGap)
    const limit = setTimeout(resolve, Math.max(commitTook, this.#maxGap))
    this.#open = { expected, end: resolve, more: () => gap.refresh() }
    await promise
    clearTimeout(gap)
    clearTimeout(limit)
    this.#open = undefined
  }

  /** Call with the number that wait, when one more has come. */
  arrived(waiting: number): void {
    if (!this.#open) return
    if (waiting >= this.#open.expected) this.#open.end()
    else this.#open.more()
  }
}
