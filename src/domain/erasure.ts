import type { Log } from '../process/log.ts'
import { Periodic } from '../scheduling/periodic.ts'
import type { Note } from '../store/store.ts'

/** When all that had been deleted by `at` was off the disk, and when the last try began; in ms since 1970. */
export type Erased = { at: number; begun: number }

/** Removes deleted rows from the disk. @throws if some may remain */
export type Erasable = { erase(): Promise<void> }

const hour = 3_600_000
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
      const isDone = await eraseAll()
      if (isDone) await note.change(() => ({ at: now, begun: now }))
    } catch (err) {
      warn(err)
    }
  }

  /** One table after the other, so that little of the disk and the processor is busy at once. */
  const eraseAll = async (): Promise<boolean> => {
    let isDone = true
    for (const table of await tables()) {
      await table.erase().catch((err: unknown) => {
        isDone = false
        warn(err)
      })
    }
    return isDone
  }

  const warn = (err: unknown): void => {
    if (looks.isStopped) return
    log.warn({ err }, 'what was deleted may still be on the disk; it is tried again')
  }

  /** Let it idle together with the tables, which break off running work. */
  const looks = new Periodic(look, roundMilliseconds / looksPerRound)
  return looks
}

/** A time in the future comes from a wrong clock. */
function claim(before: Erased | undefined, now: number, roundMilliseconds: number): Erased {
  if (!before) return { at: now, begun: now }
  const isPast = (time: number, milliseconds: number) => Math.abs(now - time) >= milliseconds
  const isDue = isPast(before.at, roundMilliseconds)
  const isFree = isPast(before.begun, roundMilliseconds / looksPerRound / 2)
  return isDue && isFree ? { ...before, begun: now } : before
}
