import type { Log } from '../process/log.ts'
import { Periodic } from '../scheduling/periodic.ts'
import type { Note, Messages } from '../store/store.ts'

const hour = 3_600_000
const day = 24 * hour

/** The time of the last look, and since when all looks agree; in ms since 1970. */
export type Look = { since: number; last: number; days: number }

/**
 * Deletes conversations whose last message is older than so many days.
 * Looks have to agree for a day first, because a clock or a setting may be wrong for hours.
 */
export class Retention {
  readonly #messages: Messages
  readonly #note: Note<Look>
  readonly #days: number
  readonly #log: Log
  readonly #looks = new Periodic(() => this.#look(), hour)

  constructor(messages: Messages, note: Note<Look>, days: number, log: Log) {
    this.#messages = messages
    this.#note = note
    this.#days = days
    this.#log = log
  }

  start(): void {
    this.#looks.start()
  }

  async idle(): Promise<void> {
    await this.#looks.stop()
  }

  async #look(): Promise<void> {
    try {
      const now = Date.now()
      const look = await this.#note.change((before) => this.#next(before, now))
      if (look && now - look.since >= day) await this.#removeOld(now)
    } catch (err) {
      this.#log.warn({ err }, 'old conversations are still there')
    }
  }

  #next(before: Look | undefined, now: number): Look {
    const days = this.#days
    if (!before) return { since: now, last: now, days }
    const [isSteady, isSame] = [Math.abs(now - before.last) <= day, before.days === days]
    // A server that restarts all the time does not write a version for each start.
    if (isSteady && isSame && Math.abs(now - before.last) < hour / 2) return before
    if (isSteady && isSame) return { ...before, last: now }
    const why = isSame
      ? 'the clock is a day or more from the last look'
      : 'CONVERSATION_DAYS is new'
    this.#log.info({ days, why }, 'old conversations are kept for one more day')
    return { since: now, last: now, days }
  }

  async #removeOld(now: number): Promise<void> {
    const oldest = new Date(now - this.#days * day).toISOString()
    const deleted = await this.#messages.removeOlder(oldest)
    if (deleted > 0) this.#log.info({ deleted, days: this.#days }, 'deleted old conversations')
  }
}
