import type { Log } from '../process/log.ts'
import type { Note, Messages } from '../store/store.ts'

const hour = 3_600_000
const day = 24 * hour

/** `at`: what was deleted before is off the disk. `begun`: when the last try began. In ms since 1970. */
type Erased = { at: number; begun: number }

/** Removes deleted rows from the disk. @throws if some may remain */
type Erasable = { erase(): Promise<void> }

/** A running server finishes a change in far less time. */
const longestChange = hour

/** Finishes changes that servers of an object store left when they died. */
export const recoveryOf = (changed: { recover(before: Date): Promise<void> }): Erasable => ({
  erase: () => changed.recover(new Date(Date.now() - longestChange)),
})

/** On an object store two rounds are needed, and one may fail. */
const roundsPerPeriod = 3
const checksPerRound = 4

/** Removes deleted rows from the disk within `hours`. Only one server at a time does so. */
export function erasure(
  tables: () => Promise<Erasable[]>,
  note: Note<Erased>,
  hours: number,
  log: Log,
): Periodic {
  const roundMilliseconds = (hours * hour) / roundsPerPeriod

  const eraseIfDue = async (): Promise<void> => {
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
    if (job.isStopped) return
    log.warn({ err }, 'what was deleted may still be on the disk; it is tried again')
  }

  /** Call its `idle` together with that of the tables, which end the work that it waits for. */
  const job = new Periodic(eraseIfDue, roundMilliseconds / checksPerRound)
  return job
}

/** One table after the other, to spare the disk and the processor. @returns whether all are done */
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

/** Marks the next try as begun, if it is due. A time in the future comes from a wrong clock. */
function claim(before: Erased | undefined, now: number, roundMilliseconds: number): Erased {
  if (!before) return { at: now, begun: now }
  const isPast = (time: number, milliseconds: number) => Math.abs(now - time) >= milliseconds
  const isDue = isPast(before.at, roundMilliseconds)
  const isFree = isPast(before.begun, roundMilliseconds / checksPerRound / 2)
  return isDue && isFree ? { ...before, begun: now } : before
}

/** `last`: the last check. `since`: since when clock and setting have been steady. In ms since 1970. */
type RetentionCheck = { since: number; last: number; days: number }

/** Deletes old conversations once clock and setting have been steady for a day: either may be wrong for hours. */
export function retention(
  messages: Messages,
  note: Note<RetentionCheck>,
  days: number,
  log: Log,
): Periodic {
  const removeIfSteady = async (): Promise<void> => {
    try {
      const now = Date.now()
      const noted = await note.change((before) => nextCheck(before, now, days, log))
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

  return new Periodic(removeIfSteady, hour)
}

function nextCheck(
  before: RetentionCheck | undefined,
  now: number,
  days: number,
  log: Log,
): RetentionCheck {
  if (!before) return { since: now, last: now, days }
  const [isSteady, isSame] = [Math.abs(now - before.last) <= day, before.days === days]
  // A server that restarts all the time does not write a version for each start.
  if (isSteady && isSame && Math.abs(now - before.last) < hour / 2) return before
  if (isSteady && isSame) return { ...before, last: now }
  const why = isSame ? 'the clock is a day or more from the last check' : 'CONVERSATION_DAYS is new'
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
