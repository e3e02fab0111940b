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
export function retention(messages: Messages, note: Note<Look>, days: number, log: Log): Periodic {
  const look = async (): Promise<void> => {
    try {
      const now = Date.now()
      const noted = await note.change((before) => nextLook(before, now))
      if (noted && now - noted.since >= day) await removeOld(now)
    } catch (err) {
      log.warn({ err }, 'old conversations are still there')
    }
  }

  const nextLook = (before: Look | undefined, now: number): Look => {
    if (!before) return { since: now, last: now, days }
    const [isSteady, isSame] = [Math.abs(now - before.last) <= day, before.days === days]
    // A server that restarts all the time does not write a version for each start.
    if (isSteady && isSame && Math.abs(now - before.last) < hour / 2) return before
    if (isSteady && isSame) return { ...before, last: now }
    const why = isSame
      ? 'the clock is a day or more from the last look'
      : 'CONVERSATION_DAYS is new'
    log.info({ days, why }, 'old conversations are kept for one more day')
    return { since: now, last: now, days }
  }

  const removeOld = async (now: number): Promise<void> => {
    const oldest = new Date(now - days * day).toISOString()
    const deleted = await messages.removeOlder(oldest)
    if (deleted > 0) log.info({ deleted, days }, 'deleted old conversations')
  }

  return new Periodic(look, hour)
}
