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
export class Erasure {
  readonly #tables: () => Promise<Erasable[]>
  readonly #note: Note<Erased>
  readonly #log: Log
  readonly #roundMilliseconds: number
  readonly #looks: Periodic

  constructor(tables: () => Promise<Erasable[]>, note: Note<Erased>, hours: number, log: Log) {
    this.#tables = tables
    this.#note = note
    this.#log = log
    this.#roundMilliseconds = (hours * hour) / roundsPerPeriod
    this.#looks = new Periodic(() => this.#look(), this.#roundMilliseconds / looksPerRound)
  }

  start(): void {
    this.#looks.start()
  }

  /** Call together with that of the tables, which breaks off running work. */
  async idle(): Promise<void> {
    await this.#looks.stop()
  }

  async #look(): Promise<void> {
    try {
      const now = Date.now()
      const noted = await this.#note.change((before) => this.#claim(before, now))
      if (noted?.begun !== now || noted.at === now) return
      const isDone = await this.#eraseAll()
      if (isDone) await this.#note.change(() => ({ at: now, begun: now }))
    } catch (err) {
      this.#warn(err)
    }
  }

  /** One table after the other, so that little of the disk and the processor is busy at once. */
  async #eraseAll(): Promise<boolean> {
    let isDone = true
    for (const table of await this.#tables()) {
      await table.erase().catch((err: unknown) => {
        isDone = false
        this.#warn(err)
      })
    }
    return isDone
  }

  #warn(err: unknown): void {
    if (this.#looks.isStopped) return
    this.#log.warn({ err }, 'what was deleted may still be on the disk; it is tried again')
  }

  /** A time in the future comes from a wrong clock. */
  #claim(before: Erased | undefined, now: number): Erased {
    if (!before) return { at: now, begun: now }
    const isPast = (time: number, milliseconds: number) => Math.abs(now - time) >= milliseconds
    const isDue = isPast(before.at, this.#roundMilliseconds)
    const isFree = isPast(before.begun, this.#roundMilliseconds / looksPerRound / 2)
    return isDue && isFree ? { ...before, begun: now } : before
  }
}
