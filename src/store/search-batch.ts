import { setImmediate } from 'node:timers/promises'
import type { Deadline } from '../deadline.ts'

/** Searches of the same kind can go together. */
export type Batchable = { kind: string }

/** Waits until a search may run, and runs it. */
export type Turn = (search: () => Promise<void>) => Promise<void>

type Waiting<Query, Result> = PromiseWithResolvers<Result> & { query: Query; deadline: Deadline }

/** More at once gain little, and the first of them would wait for the last. */
const mostTogether = 32
/** While the answers of one search are made and sent, LanceDB works on the other: a quarter more of them. */
const mostSearches = 2
/**
 * So many answers of a search are made before the event loop is asked what else has come. With all 32
 * made in one go, the last refused of 512 clients waited 13 ms on average over 14 loads and 7 ms so over
 * 9, at the same rates.
 */
const mostAnswered = 4

/**
 * Everything that waits goes into one search: LanceDB takes many vectors in one call, and pays most
 * of what a call costs once. Who comes when none is running goes at once; beside one that runs a
 * second goes only where as many wait as it takes.
 */
export class SearchBatch<Query extends Batchable, Result> {
  readonly #search: (queries: Query[]) => Promise<Result[]>
  readonly #turn: Turn
  readonly #hasRoomForTwo: () => boolean
  #waiting: Waiting<Query, Result>[] = []
  /** Those that run or wait for their turn. */
  #searches = 0
  /** Of these those that wait. */
  #coming = 0

  /**
   * @param search answers queries of one kind, in their order
   * @param hasRoomForTwo whether a second search leaves room for those of other tables
   */
  constructor(
    search: (queries: Query[]) => Promise<Result[]>,
    turn: Turn,
    hasRoomForTwo: () => boolean,
  ) {
    this.#search = search
    this.#turn = turn
    this.#hasRoomForTwo = hasRoomForTwo
  }

  /**
   * What the search finds for this query, whatever goes along with it.
   * @throws what the search throws for it alone; ServiceError `request_timeout` when its request has
   * no time left as its turn comes
   */
  run(query: Query, deadline: Deadline): Promise<Result> {
    const waiting = { ...Promise.withResolvers<Result>(), query, deadline }
    this.#waiting.push(waiting)
    void this.#work()
    return waiting.promise
  }

  async #work(): Promise<void> {
    while (this.#isDue()) {
      this.#searches += 1
      this.#coming += 1
      await this.#turn(() => {
        this.#coming -= 1
        // What arrived until its turn came goes along.
        return this.#settle(this.#take())
      })
      this.#searches -= 1
    }
  }

  #isDue(): boolean {
    if (this.#searches === 0) return this.#waiting.length > 0
    // Those that wait beside what a search takes whose turn is to come.
    const left = this.#waiting.length - this.#coming * mostTogether
    return left >= mostTogether && this.#searches < mostSearches && this.#hasRoomForTwo()
  }

  /** The first that waits, with its like; what is left over keeps its order. */
  #take(): Waiting<Query, Result>[] {
    const inTime = this.#waiting.filter(isInTime)
    const kind = inTime[0]?.query.kind
    const taken = inTime.filter(({ query }) => query.kind === kind).slice(0, mostTogether)
    const gone = new Set(taken)
    this.#waiting = inTime.filter((waiting) => !gone.has(waiting))
    return taken
  }

  async #settle(taken: Waiting<Query, Result>[]): Promise<void> {
    if (taken.length === 0) return
    try {
      const results = await this.#search(taken.map(({ query }) => query))
      void answer(taken, results)
    } catch (error) {
      if (taken.length === 1) taken[0]!.reject(error)
      // One that cannot be answered takes no other along.
      else for (const waiting of taken) await this.#settle([waiting])
    }
  }
}

/** Nobody waits for it to be done, so that the next search begins meanwhile. */
async function answer<Query, Result>(
  taken: Waiting<Query, Result>[],
  results: Result[],
): Promise<void> {
  for (const [index, { resolve }] of taken.entries()) {
    resolve(results[index]!)
    if ((index + 1) % mostAnswered === 0) await setImmediate()
  }
}

/** Refuses what is too late. */
function isInTime({ deadline, reject }: { deadline: Deadline; reject: (error: unknown) => void }) {
  if (deadline.signal.aborted) reject(deadline.signal.reason)
  return !deadline.signal.aborted
}
