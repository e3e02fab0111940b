import type { IncomingMessage, ServerResponse } from 'node:http'
import { Overloaded, type RefusedKind, TooManyRequests } from '../errors/errors.ts'
import { FairSemaphore, SharedBudget } from '../process/fair-shares.ts'
import type { AdmissionKind } from './operation-rules.ts'

/** One workspace alone gets half. */
const maxRequests: Record<AdmissionKind, number> = {
  writes: 2_048,
  queries: 512,
  // Separate from queries, because a model may take minutes.
  questions: 512,
}
/** Storing a body takes some ten times its bytes. */
const maxBodyBytes = 128 * 1024 * 1024

/** After a refusal many slots must be free. Otherwise only clients that were just answered find one. */
const minFreeToReopen = 24

/** Bounds running requests of one kind, and the bytes of their bodies, in all and by workspace. */
export class Admission {
  readonly #kind: RefusedKind
  readonly #places: SharedBudget
  readonly #bytes = new SharedBudget(maxBodyBytes)
  /** The workspaces that were refused a slot and still hold some. */
  readonly #closed = new Set<string>()
  readonly #returns = new ReturnTimes()

  constructor(kind: AdmissionKind) {
    this.#kind = kind
    this.#places = new SharedBudget(maxRequests[kind])
  }

  get requests(): number {
    return this.#places.held
  }

  /** Takes no room yet, so that a slow client blocks nobody. @throws TooManyRequests, Overloaded */
  admit(workspace: string, announcedBytes: number): Permit {
    this.#checkPlace(workspace)
    this.#checkBytes(workspace, announcedBytes)
    const held = { places: 0, bytes: 0 }
    return {
      takePlace: () => {
        this.#checkPlace(workspace)
        this.#places.take(workspace, 1)
        held.places += 1
      },
      takeBytes: (bytes) => {
        this.#checkBytes(workspace, bytes)
        this.#bytes.take(workspace, bytes)
        held.bytes += bytes
      },
      release: () => {
        this.#places.release(workspace, held.places)
        this.#bytes.release(workspace, held.bytes)
        if (this.#places.heldBy(workspace) === 0) this.#closed.delete(workspace)
      },
    }
  }

  #checkPlace(workspace: string): void {
    const left = this.#places.leftFor(workspace)
    if (left < 1 && this.#places.heldBy(workspace) > 0) this.#closed.add(workspace)
    else if (left >= minFreeToReopen) this.#closed.delete(workspace)
    if (left < 1 || this.#closed.has(workspace)) this.#refuse(workspace, this.#places.isFull(1))
  }

  #checkBytes(workspace: string, bytes: number): void {
    if (bytes <= this.#bytes.leftFor(workspace)) return
    this.#refuse(workspace, this.#bytes.isFull(bytes))
  }

  #refuse(workspace: string, isFull: boolean): never {
    const Refusal = isFull ? Overloaded : TooManyRequests
    throw new Refusal(this.#kind, this.#returns.secondsUntilReturn(workspace))
  }
}

/** The length that a request states for its body, as far as it is read. */
export const announcedBytes = ({ headers }: IncomingMessage, maxBytes: number): number =>
  Math.min(Number(headers['content-length'] ?? 0), maxBytes)

export type Admissions = Record<AdmissionKind, Admission>

export const openAdmissions = (): Admissions => ({
  writes: new Admission('writes'),
  queries: new Admission('queries'),
  questions: new Admission('questions'),
})

export type Permit = {
  /** Call once the request has arrived. @throws TooManyRequests, Overloaded */
  takePlace(): void
  /** @throws TooManyRequests, Overloaded */
  takeBytes(bytes: number): void
  release(): void
}

/** Refused clients return at different times, because refusals take time too. */
const maxReturnsPerSecond = 24
const maxRetrySeconds = 30

type Return = { second: number; count: number }

class ReturnTimes {
  /** The last second that clients were told to return in, and how many of them. */
  readonly #last = new Map<string, Return>()

  secondsUntilReturn(workspace: string): number {
    const now = Math.floor(performance.now() / 1000)
    this.#forgetPast(now)
    const next = after(this.#last.get(workspace), now)
    this.#last.set(workspace, next)
    return next.second - now
  }

  #forgetPast(now: number): void {
    for (const [workspace, { second }] of this.#last) {
      if (second <= now) this.#last.delete(workspace)
    }
  }
}

function after(last: Return | undefined, now: number): Return {
  if (!last) return { second: now + 1, count: 1 }
  const { second, count } = last
  const isFull = count >= maxReturnsPerSecond && second < now + maxRetrySeconds
  return isFull ? { second: second + 1, count: 1 } : { second, count: count + 1 }
}

/** One workspace alone gets half. */
const maxUnreadBytes = 256 * 1024 * 1024
/** Making an answer takes several times its bytes. */
const maxMadeAtOnce = 8
/** A client that reads at all has made progress by then. */
const retrySeconds = 5

/** Bounds by workspace how many answers are made, and the bytes of unread ones. */
export class Answers {
  readonly #making = new FairSemaphore(maxMadeAtOnce)
  readonly #unread: SharedBudget

  constructor(maxBytes = maxUnreadBytes) {
    this.#unread = new SharedBudget(maxBytes)
  }

  /** Reads the store and writes the answer when a slot is free. @throws TooManyRequests */
  read(workspace: string, response: ServerResponse, answer: () => Promise<void>): Promise<void> {
    return this.#making.run(workspace, () => this.make(workspace, response, answer))
  }

  /** As `read`, but at once, if something else bounds how many are made. @throws TooManyRequests */
  async make(
    workspace: string,
    response: ServerResponse,
    answer: () => Promise<void>,
  ): Promise<void> {
    if (this.#unread.leftFor(workspace) < 0) throw new TooManyRequests('answers', retrySeconds)
    await answer()
    this.#count(workspace, response)
  }

  /** Counts unsent bytes until the connection has taken all of them or is closed. */
  #count(workspace: string, response: ServerResponse): void {
    const bytes = response.writableLength
    if (bytes === 0 || response.destroyed) return
    this.#unread.take(workspace, bytes)
    response.once('close', () => this.#unread.release(workspace, bytes))
  }
}
