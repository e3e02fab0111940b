import { TimeSlice } from '../time-slice.ts'
import { WordCounts } from './word-counts.ts'

/** How old counts may be that other processes make wrong without telling. */
const sharedMilliseconds = 60_000

/** What is needed of the table that is counted. */
export type WordSource = {
  /** Whether other processes write to it. */
  isShared: boolean
  /** Runs `begin` at a moment when no write is under way. */
  between: (begin: () => Promise<void>) => Promise<void>
  /** Reads the words of all fragments as they are now, one batch of them after the other. */
  scan: (each: (batch: Uint8Array[]) => Promise<void>) => Promise<void>
}

/** `isLive` once the counts have to be told of changes. */
type Counting = { counts: WordCounts; isLive: boolean; began: number; done: Promise<void> }

/**
 * Counts a table's words when they are first asked for, and keeps count of what is written from then
 * on.
 */
export class WordKeeper {
  readonly #source: WordSource
  #current: Counting | undefined
  /** Takes the place of `#current` when it is done. */
  #next: Counting | undefined

  constructor(source: WordSource) {
    this.#source = source
  }

  /** Whether `changed` needs to be told. */
  get isLive(): boolean {
    return this.#live().length > 0
  }

  /** The counts as of now. They go on counting. */
  async counts(): Promise<WordCounts> {
    const current = (this.#current ??= this.#begin())
    if (this.#source.isShared && Date.now() - current.began > sharedMilliseconds) this.#renew()
    await current.done
    return current.counts
  }

  /**
   * To be called after each commit with the words of the fragments it added and took away. What is
   * written stays so whatever becomes of the counts.
   */
  async changed(added: Uint8Array[], removed: Uint8Array[]): Promise<void> {
    try {
      const slice = new TimeSlice()
      for (const { counts } of this.#live()) {
        for (const words of added) {
          counts.add(words)
          await slice.pause()
        }
        for (const words of removed) {
          counts.remove(words)
          await slice.pause()
        }
      }
    } catch {
      this.forget()
    }
  }

  /** To be called when nobody can tell what a commit changed: all is counted again. */
  forget(): void {
    this.#current = undefined
    this.#next = undefined
  }

  #live(): Counting[] {
    return [this.#current, this.#next].flatMap((counting) => (counting?.isLive ? counting : []))
  }

  #renew(): void {
    if (this.#next) return
    const next = this.#begin()
    this.#next = next
    next.done.then(
      () => {
        if (this.#next !== next) return
        this.#current = next
        this.#next = undefined
      },
      () => undefined,
    )
  }

  #begin(): Counting {
    const counts = new WordCounts()
    const counting = { counts, isLive: false, began: Date.now(), done: Promise.resolve() }
    counting.done = this.#count(counting)
    counting.done.catch(() => {
      if (this.#current === counting) this.#current = undefined
      if (this.#next === counting) this.#next = undefined
    })
    return counting
  }

  /**
   * Once its first batch has come, what is read is one moment of the table; until then no write may
   * come, and whatever comes later is told.
   */
  async #count(counting: Counting): Promise<void> {
    const slice = new TimeSlice()
    let scanned: Promise<void> | undefined
    await this.#source.between(async () => {
      const started = Promise.withResolvers<void>()
      scanned = this.#source.scan(async (batch) => {
        started.resolve()
        for (const words of batch) {
          counting.counts.add(words)
          await slice.pause()
        }
      })
      scanned.then(started.resolve, started.reject)
      await started.promise
      counting.isLive = true
    })
    await scanned
  }
}
