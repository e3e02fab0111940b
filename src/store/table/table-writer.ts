import type { Table } from '@lancedb/lancedb'
import type { Deadline } from '../../process/deadline.ts'
import type { OpenTable } from './open-table.ts'
import type { Upkeep } from './upkeep.ts'
import type { Write, WriteQueue } from './write-queue.ts'

/** `gone` counts deleted rows. A commit that `isSmall` may take the last room on the disk. */
export type CommitOptions = { gone?: number; leavesFile?: boolean; isSmall?: boolean }

export type Stamp = () => string

/** The writes to one table: their queue, their times, their commits, and the upkeep that follows. */
export class TableWriter<W extends Write> {
  readonly #table: OpenTable
  readonly #queue: WriteQueue<W>
  readonly #upkeep: Upkeep
  #lastStamp = 0

  constructor(table: OpenTable, queue: WriteQueue<W>, upkeep: Upkeep) {
    this.#table = table
    this.#queue = queue
    this.#upkeep = upkeep
  }

  /** Await before the first write. @param stamps the column with the times of rows */
  async start(stamps: 'created_at' | 'updated_at'): Promise<void> {
    const [newest] = await this.#table.readAll<Record<typeof stamps, string>>((query) =>
      query.orderBy({ columnName: stamps, ascending: false }).select([stamps]).limit(1),
    )
    if (newest) this.#lastStamp = Math.max(this.#lastStamp, Date.parse(newest[stamps]))
    await this.#upkeep.start()
  }

  /** Rises strictly, so that a page never gets another row after it was read. */
  readonly stamp: Stamp = () => {
    this.#lastStamp = Math.max(Date.now(), this.#lastStamp + 1)
    return new Date(this.#lastStamp).toISOString()
  }

  get isOnHold(): boolean {
    return this.#queue.isOnHold
  }

  write(write: W, deadline?: Deadline): Promise<void> {
    return this.#queue.write(write, deadline)
  }

  /** Call before adding rows. @throws StorageFull */
  checkRoom(): Promise<void> {
    return this.#upkeep.checkRoom()
  }

  async commit<R>(
    rows: number,
    write: (table: Table) => Promise<R>,
    { gone = 0, leavesFile, isSmall = false }: CommitOptions = {},
  ): Promise<R> {
    const commit = () => this.#table.commit(rows, write, gone)
    try {
      return await (isSmall ? this.#table.volume.withReserve(commit) : commit())
    } finally {
      // A failed commit may be done anyway.
      this.#upkeep.committed(rows, gone, leavesFile)
    }
  }

  erase(): Promise<void> {
    return this.#upkeep.erase()
  }

  /** Lets running writes finish, and refuses all others with an error that `reason` makes. */
  async refuse(reason: () => Error): Promise<void> {
    const stopped = this.#upkeep.finish()
    this.#queue.close(reason)
    await this.#queue.idle()
    await stopped
  }

  async idle(): Promise<void> {
    await this.#upkeep.stop()
    await this.#queue.idle()
  }
}
