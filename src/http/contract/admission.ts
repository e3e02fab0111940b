import { Overloaded } from '../../errors.ts'

export type AdmissionKind = 'writes' | 'queries' | 'questions'

const maxRequests: Record<AdmissionKind, number> = {
  writes: 1_024,
  queries: 256,
  // Questions are apart from queries, because a model may take minutes.
  questions: 256,
}
/** A body that is being stored takes some ten times its bytes. */
const maxBytes = 64 * 1024 * 1024

/** Refused requests are told to return at different times, because refusals take time too. */
const maxReturnsPerSecond = 24
const maxRetrySeconds = 30
/** After a refusal many places must be free: otherwise only clients that were just answered find one. */
const minFreeToReopen = maxReturnsPerSecond

/** Bounds the requests of one kind in hand, and the bytes of their bodies. */
export class Admission {
  readonly #kind: AdmissionKind
  #requests = 0
  #bytes = 0
  #isClosed = false
  /** The second that the last refused requests were told, and how many of them. */
  #returns = { second: 0, count: 0 }

  constructor(kind: AdmissionKind) {
    this.#kind = kind
  }

  get requests(): number {
    return this.#requests
  }

  /** Takes no room yet, so that a slow client keeps nobody out. @throws Overloaded */
  admit(announcedBytes: number): Permit {
    this.#checkPlace()
    this.#checkBytes(announcedBytes)
    const held = { places: 0, bytes: 0 }
    return {
      takePlace: () => {
        this.#checkPlace()
        this.#requests += 1
        held.places += 1
      },
      takeBytes: (bytes) => {
        this.#checkBytes(bytes)
        this.#bytes += bytes
        held.bytes += bytes
      },
      release: () => {
        this.#requests -= held.places
        this.#bytes -= held.bytes
      },
    }
  }

  #checkPlace(): void {
    const free = maxRequests[this.#kind] - this.#requests
    if (free <= 0) this.#isClosed = true
    else if (free >= minFreeToReopen) this.#isClosed = false
    if (this.#isClosed) this.#refuse()
  }

  #checkBytes(bytes: number): void {
    if (this.#bytes + bytes > maxBytes) this.#refuse()
  }

  #refuse(): never {
    throw new Overloaded(this.#kind, this.#secondsUntilReturn())
  }

  #secondsUntilReturn(): number {
    const now = Math.floor(performance.now() / 1000)
    const { second, count } = this.#returns
    const isLast = second === now + maxRetrySeconds
    if (second <= now) this.#returns = { second: now + 1, count: 1 }
    else if (count < maxReturnsPerSecond || isLast) this.#returns = { second, count: count + 1 }
    else this.#returns = { second: second + 1, count: 1 }
    return this.#returns.second - now
  }
}

export type Admissions = Record<AdmissionKind, Admission>

export const openAdmissions = (): Admissions => ({
  writes: new Admission('writes'),
  queries: new Admission('queries'),
  questions: new Admission('questions'),
})

export type Permit = {
  /** Called once the request has arrived. @throws Overloaded */
  takePlace(): void
  /** @throws Overloaded */
  takeBytes(bytes: number): void
  release(): void
}
