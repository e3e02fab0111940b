import type { Log } from '../process/log.ts'
import type { Note, Messages } from '../store/store.ts'

const hour = 3_600_000
const day = 24 * hour

/** When all that had been deleted by `at` was off the disk, and when the last try began; in ms since 1970. */
type Erased = { at: number; begun: number }

/** Removes deleted rows from the disk. @throws if some may remain */
type Erasable = { erase(): Promise<void> }

/** A server that lives takes far less for a change. */
const longestChange = hour

/** Finishes changes that servers of an object store left when they died. */
export const unfinished = (changed: { recover(before: Date): Promise<void> }): Erasable => ({
  erase: () => changed.recover(new Date(Date.now() - longestChange)),
})

/** On an object store two rounds are needed, and one may fail. */
const roundsPerPeriod = 3
const looksPerRound = 4

/** Removes deleted rows from the disk within so many hours. One server at a time does. */
export function erasure(
  tables: () => Promise<Erasable[]>,
  note: Note<Erased>,
  hours: number,
  log: Log,
): Periodic {
  const roundMilliseconds = (hours * hour) / roundsPerPeriod

  const look = async (): Promise<void> => {
    try {
      const now = Date.now()
      const noted = await note.change((before) => claim(before, now, roundMilliseconds))
      if (noted?.begun !== now || noted.at === now) return
      if (await eraseAll(await tables(), warn)) await note.change(() => ({ at: now, begun: now }))
    } catch (err) {
      warn(err)
    }
  }

  const warn = (err: unknown): void => {
    if (looks.isStopped) return
    log.warn({ err }, 'what was deleted may still be on the disk; it is tried again')
  }

  /** Let it idle together with the tables, which break off running work. */
  const looks = new Periodic(look, roundMilliseconds / looksPerRound)
  return looks
}

/** One table after the other, so that little of the disk and the processor is busy at once. @returns whether all are done */
async function eraseAll(tables: Erasable[], warn: (err: unknown) => void): Promise<boolean> {
  let isDone = true
  for (const table of tables) {
    await table.erase().catch((err: unknown) => {
      isDone = false
      warn(err)
    })
  }
  return isDone
}

/** A time in the future comes from a wrong clock. */
function claim(before: Erased | undefined, now: number, roundMilliseconds: number): Erased {
  if (!before) return { at: now, begun: now }
  const isPast = (time: number, milliseconds: number) => Math.abs(now - time) >= milliseconds
  const isDue = isPast(before.at, roundMilliseconds)
  const isFree = isPast(before.begun, roundMilliseconds / looksPerRound / 2)
  return isDue && isFree ? { ...before, begun: now } : before
}

/** The time of the last look, and since when all looks agree; in ms since 1970. */
type Look = { since: number; last: number; days: number }

/** Deletes old conversations, once looks agree for a day, because a clock or a setting may be wrong for hours. */
export function retention(messages: Messages, note: Note<Look>, days: number, log: Log): Periodic {
  const look = async (): Promise<void> => {
    try {
      const now = Date.now()
      const noted = await note.change((before) => nextLook(before, now, days, log))
      if (noted && now - noted.since >= day) await removeOld(now)
    } catch (err) {
      log.warn({ err }, 'old conversations are still there')
    }
  }

  const removeOld = async (now: number): Promise<void> => {
    const oldest = new Date(now - days * day).toISOString()
    const deleted = await messages.removeOlder(oldest)
    if (deleted > 0) log.info({ deleted, days }, 'deleted old conversations')
  }

  return new Periodic(look, hour)
}

function nextLook(before: Look | undefined, now: number, days: number, log: Log): Look {
  if (!before) return { since: now, last: now, days }
  const [isSteady, isSame] = [Math.abs(now - before.last) <= day, before.days === days]
  // A server that restarts all the time does not write a version for each start.
  if (isSteady && isSame && Math.abs(now - before.last) < hour / 2) return before
  if (isSteady && isSame) return { ...before, last: now }
  const why = isSame ? 'the clock is a day or more from the last look' : 'CONVERSATION_DAYS is new'
  log.info({ days, why }, 'old conversations are kept for one more day')
  return { since: now, last: now, days }
}

/** Does work now and after each interval, one piece at a time. It must not throw. */
class Periodic {
  readonly #work: () => Promise<void>
  readonly #milliseconds: number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isStopped = false

  constructor(work: () => Promise<void>, milliseconds: number) {
    this.#work = work
    this.#milliseconds = milliseconds
  }

  start(): void {
    this.#begin()
    this.#timer = setInterval(() => this.#begin(), this.#milliseconds).unref()
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  async idle(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await this.#running
  }

  #begin(): void {
    this.#running ??= this.#work().finally(() => (this.#running = undefined))
  }
}
