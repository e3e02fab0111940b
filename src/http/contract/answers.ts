import type { ServerResponse } from 'node:http'
import { TooManyRequests } from '../../errors/errors.ts'
import { FairSemaphore } from '../../scheduling/fair-semaphore.ts'
import { SharedBudget } from '../../scheduling/shared-budget.ts'

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
