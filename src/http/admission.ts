import { Overloaded } from '../errors.ts'

export type AdmissionKind = 'writes' | 'queries'

/** Of writes there are far more than the disk takes in a second; of queries as many as a second answers. */
const mostRequests: Record<AdmissionKind, number> = { writes: 1_024, queries: 256 }
/** Little enough to be held: while it is written, a text takes some ten times its own bytes. */
const mostBytes = 64 * 1024 * 1024

/**
 * Who was refused is told a second to come back in, and no more than these the same one: a refusal
 * takes half a millisecond on slow machines, and those who come together wait for each other's. Of 512
 * clients of hybrid queries the last waited 33 to 61 ms where 64 came together, and 18 to 51 of 32; of
 * vector queries 44 and 53 of 32, in two runs of five loads.
 */
const mostBackInASecond = 24
const mostSeconds = 30
/**
 * Once one was refused, all are until as many places are free as may come back in a second. Else who was
 * answered and asks again at once has its own place again, and who comes back as told finds none: of 512
 * clients of hybrid queries 208 had no answer in 20 s, as nine of ten were refused again, and 3 with this,
 * as one of ten was.
 */
const freeAgain = mostBackInASecond

/**
 * The budget of the requests of one kind that are worked on, or wait for their turn, over all tables,
 * and of the bodies of these and of those that are being received.
 */
export class Admission {
  readonly #kind: AdmissionKind
  #requests = 0
  /** Whether one was refused, and not enough places are free again since. */
  #isFull = false
  #bytes = 0
  /** The second that is told now, and how many were told it. */
  #told = { second: 0, times: 0 }

  constructor(kind: AdmissionKind) {
    this.#kind = kind
  }

  /**
   * Lets a request in if there is a place, and room for its body, which says it has so many bytes. Both
   * are taken later: who only says so, or sends it slowly, keeps nobody out.
   * @throws Overloaded
   */
  enter(announced: number): Admitted {
    this.#checkPlace()
    this.#checkRoom(announced)
    const held = { places: 0, bytes: 0 }
    return {
      takePlace: () => {
        this.#checkPlace()
        this.#requests += 1
        held.places += 1
      },
      takeBytes: (bytes) => {
        this.#checkRoom(bytes)
        this.#bytes += bytes
        held.bytes += bytes
      },
      leave: () => {
        this.#requests -= held.places
        this.#bytes -= held.bytes
      },
    }
  }

  #checkPlace(): void {
    const free = mostRequests[this.#kind] - this.#requests
    if (free <= 0) this.#isFull = true
    else if (free >= freeAgain) this.#isFull = false
    if (this.#isFull) this.#refuse()
  }

  #checkRoom(bytes: number): void {
    if (this.#bytes + bytes > mostBytes) this.#refuse()
  }

  #refuse(): never {
    throw new Overloaded(this.#kind, this.#nextRetryAfter())
  }

  /** In whole seconds from now. */
  #nextRetryAfter(): number {
    const now = Math.floor(performance.now() / 1000)
    const { second, times } = this.#told
    const isLast = second === now + mostSeconds
    if (second <= now) this.#told = { second: now + 1, times: 1 }
    else if (times < mostBackInASecond || isLast) this.#told = { second, times: times + 1 }
    else this.#told = { second: second + 1, times: 1 }
    return this.#told.second - now
  }
}

/** A request that was let in; `leave` is to be called once, when nothing of it is held any more. */
export type Admitted = {
  /**
   * To be called once it is here.
   * @throws Overloaded
   */
  takePlace(): void
  /**
   * To be called for what comes of its body.
   * @throws Overloaded
   */
  takeBytes(bytes: number): void
  leave(): void
}
