import { setImmediate } from 'node:timers/promises'
import { Semaphore } from 'async-mutex'
import type { Deadline } from '../../process/deadline.ts'
import { whenFewConnect } from '../../process/fair-shares.ts'

type Batchable = { kind: string }

type Admit = (search: () => Promise<void>) => Promise<void>

type Waiting<Query, Result> = PromiseWithResolvers<Result> & { query: Query; deadline: Deadline }

/** More gain little, and the first would wait for the last. */
const maxTogether = 32
/** While answers of one search are made and sent, LanceDB works on the other. */
const maxOfAKind = 2
const maxSearches = 4
/** How many are answered between turns of the event loop. */
const maxAnswered = 4

/**
 * Puts waiting queries of one kind into one search, because most of its cost is paid once.
 * A query goes at once if none of its kind runs. Beside one that runs, only a full search begins.
 */
export class SearchBatch<Query extends Batchable, Result> {
  readonly #search: (queries: Query[]) => Promise<Result[]>
  readonly #admit: Admit
  readonly #hasRoomForMore: () => boolean
  readonly #waiting = new Map<string, Waiting<Query, Result>[]>()
  readonly #running = new Map<string, number>()
  #searches = 0
  #waitingToBeAdmitted = 0

  /** `search` keeps the order of queries. `hasRoomForMore` says whether a second search leaves others room. */
  constructor(
    search: (queries: Query[]) => Promise<Result[]>,
    admit: Admit,
    hasRoomForMore: () => boolean,
  ) {
    this.#search = search
    this.#admit = admit
    this.#hasRoomForMore = hasRoomForMore
  }

  /** @throws what the search throws for this query alone; `request_timeout` when its turn comes too late */
  find(query: Query, deadline: Deadline): Promise<Result> {
    const waiting = { ...Promise.withResolvers<Result>(), query, deadline }
    const alike = this.#waiting.get(query.kind)
    if (alike) alike.push(waiting)
    else this.#waiting.set(query.kind, [waiting])
    void this.#work()
    return waiting.promise
  }

  async #work(): Promise<void> {
    while (this.#isDue()) {
      this.#searches += 1
      this.#waitingToBeAdmitted += 1
      await this.#admit(() => {
        this.#waitingToBeAdmitted -= 1
        return this.#searchNext()
      })
      this.#searches -= 1
    }
  }

  #isDue(): boolean {
    if (this.#searches === 0) return this.#waiting.size > 0
    if (this.#searches >= maxSearches || !this.#hasRoomForMore()) return false
    const due = this.#waiting.keys().reduce((sum, kind) => sum + this.#dueOf(kind), 0)
    return due > this.#waitingToBeAdmitted
  }

  #dueOf(kind: string): number {
    const [waiting, running] = [this.#waiting.get(kind)!.length, this.#running.get(kind) ?? 0]
    const full = Math.floor(waiting / maxTogether)
    return Math.min(maxOfAKind - running, running === 0 ? Math.max(1, full) : full)
  }

  async #searchNext(): Promise<void> {
    const kind = this.#waiting.keys().find((one) => this.#dueOf(one) > 0)
    if (kind === undefined) return
    const taken = this.#take(kind)
    this.#running.set(kind, (this.#running.get(kind) ?? 0) + 1)
    await this.#settle(taken)
    const left = this.#running.get(kind)! - 1
    if (left > 0) this.#running.set(kind, left)
    else this.#running.delete(kind)
  }

  /** The rest of this kind goes behind the other kinds. */
  #take(kind: string): Waiting<Query, Result>[] {
    const inTime = this.#waiting.get(kind)!.filter(isInTime)
    this.#waiting.delete(kind)
    if (inTime.length > maxTogether) this.#waiting.set(kind, inTime.slice(maxTogether))
    return inTime.slice(0, maxTogether)
  }

  async #settle(taken: Waiting<Query, Result>[]): Promise<void> {
    if (taken.length === 0) return
    try {
      const results = await this.#search(taken.map(({ query }) => query))
      void answer(taken, results)
    } catch (error) {
      if (taken.length === 1) taken[0]!.reject(error)
      // A query that cannot be answered fails alone.
      else for (const waiting of taken) await this.#settle([waiting].filter(isInTime))
    }
  }
}

async function answer<Query, Result>(
  taken: Waiting<Query, Result>[],
  results: Result[],
): Promise<void> {
  for (const [index, { resolve }] of taken.entries()) {
    resolve(results[index]!)
    if ((index + 1) % maxAnswered === 0) await setImmediate()
  }
}

function isInTime({ deadline, reject }: { deadline: Deadline; reject: (error: unknown) => void }) {
  if (deadline.signal.aborted) reject(deadline.signal.reason)
  return !deadline.signal.aborted
}

/** In MiB, over all tables: LanceDB runs all searches at once, and hundreds need too much memory. */
const maxHeld = 128
const maxOfOne = 64
const minOfOne = 16

/** Bounds the searches that run at once by their size; others wait in the order they came. */
export class SearchBudget {
  readonly #semaphore = new Semaphore(maxHeld)

  admit<T>(bytes: number, search: () => Promise<T>): Promise<T> {
    return this.#semaphore.runExclusive(async () => {
      await whenFewConnect()
      return search()
    }, heldBy(bytes))
  }
}

export const isSmall = (bytes: number): boolean => heldBy(bytes) === minOfOne

function heldBy(bytes: number): number {
  const mebibytes = Number.isFinite(bytes) ? Math.ceil(bytes / 2 ** 20) : maxOfOne
  return Math.min(maxOfOne, Math.max(minOfOne, mebibytes))
}
