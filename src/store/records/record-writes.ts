import type { Table } from '@lancedb/lancedb'
import type { Deadline } from '../../scheduling/deadline.ts'
import type { Database } from '../database.ts'
import { and, equal, type Filter, oneOf } from '../lance/filter.ts'
import type { OpenTable } from '../table/open-table.ts'
import { fromRow, type RecordRow, type Stored, toRow } from './record-rows.ts'
import type { Upkeep } from '../upkeep/upkeep.ts'
import { type Stamp, type Write, WriteQueue } from '../table/write-queue.ts'

/** `isSmall` is for what the last room on the disk is kept for. */
export type ReplaceOptions = { deadline?: Deadline; isSmall?: boolean }

/** Something new, a compare-and-swap, which keeps its outcome to itself, or nothing. */
type RecordWrite<T> = Write & {
  added?: NewRecord<T>
  swap?: (stamp: Stamp) => Promise<void>
}

type NewRecord<T> = Pick<Stored<T>, 'id' | 'workspace' | 'value'> & {
  createdAt?: string
  /** Told of what was stored, or of nothing where the id is taken. */
  done: (stored: Stored<T> | undefined) => void
}

/** The writes to a table of records, in which a change is exact also among several servers. */
export class RecordWrites<T> {
  readonly #table: OpenTable
  readonly #queue: WriteQueue<RecordWrite<T>>
  readonly #upkeep: Upkeep

  constructor(table: OpenTable, database: Database) {
    this.#table = table
    this.#queue = new WriteQueue((writes, stamp) => this.#write(writes, stamp))
    this.#upkeep = database.upkeepOf(table, this.#queue)
  }

  /** Begins to keep the table quick and small beside its writes; to be awaited before the first. */
  start(): Promise<void> {
    return this.#upkeep.start()
  }

  /** Stores a new thing and returns it, or undefined when its id is taken. */
  async insert(
    thing: Pick<Stored<T>, 'id' | 'workspace' | 'value'>,
    deadline?: Deadline,
  ): Promise<Stored<T> | undefined> {
    let inserted: Stored<T> | undefined
    const done = (stored: Stored<T> | undefined) => (inserted = stored)
    await this.#queue.write({ rows: 1, added: { ...thing, done } }, deadline)
    return inserted
  }

  /** Stores a new value over `current` and returns it, or undefined when another came first. */
  replace(
    current: Stored<T>,
    value: T,
    { deadline, isSmall = false }: ReplaceOptions = {},
  ): Promise<Stored<T> | undefined> {
    return this.#swap(
      async (table) => {
        if (!isSmall) await this.#upkeep.checkRoom()
        const replaced = { ...current, rev: current.rev + 1, value }
        const { rowsUpdated } = await table.update({
          where: unchanged(current),
          values: { rev: replaced.rev, value: JSON.stringify(value) },
        })
        return rowsUpdated === 1 ? replaced : undefined
      },
      { deadline },
    )
  }

  /**
   * Puts `current` into another workspace, as its newest thing; undefined when another came first. No
   * room is asked for, since what is on its way out goes this way too. The file of its row takes the
   * place of the one it was in.
   */
  move(current: Stored<T>, workspace: string, deadline?: Deadline): Promise<Stored<T> | undefined> {
    return this.#swap(
      async (table, stamp) => {
        const moved = { ...current, rev: current.rev + 1, workspace, createdAt: stamp() }
        const { rowsUpdated } = await table.update({
          where: unchanged(current),
          values: { rev: moved.rev, workspace, created_at: moved.createdAt },
        })
        return rowsUpdated === 1 ? moved : undefined
      },
      { deadline, leavesFile: false },
    )
  }

  /** Deletes `current`; false when it was changed or deleted first. */
  remove(current: Stored<T>, deadline?: Deadline): Promise<boolean> {
    return this.#swap(
      async (table) => {
        const { numDeletedRows } = await table.delete(unchanged(current))
        return numDeletedRows === 1
      },
      { deadline },
    )
  }

  /** Settles when everything that can be read is stored for good. */
  durable(): Promise<void> {
    return this.#queue.write({ rows: 0 })
  }

  /** Settles when nothing is left to write. */
  async idle(): Promise<void> {
    await this.#upkeep.stop()
    await this.#queue.idle()
  }

  /**
   * All that is new in one commit, then one compare-and-swap after the other. Each commit is synced,
   * so that no more than one version is ever in danger; where there is none, what is there is.
   */
  async #write(writes: RecordWrite<T>[], stamp: Stamp): Promise<void> {
    const added = writes.flatMap((write) => write.added ?? [])
    const swaps = writes.flatMap(({ swap }) => swap ?? [])
    if (added.length > 0) await this.#insertAll(added, stamp)
    if (added.length > 0 || swaps.length === 0) await this.#table.sync()
    for (const swap of swaps) {
      await swap(stamp)
      await this.#table.sync()
    }
  }

  async #insertAll(added: NewRecord<T>[], stamp: Stamp): Promise<void> {
    await this.#upkeep.checkRoom()
    const rows = added.map((one) => {
      // A second try is to know what the first one left.
      one.createdAt ??= stamp()
      const { id, workspace, createdAt, value } = one
      return toRow({ id, workspace, rev: 1, createdAt, value })
    })
    const { numInsertedRows } = await this.#commit(rows.length, (table) =>
      table.mergeInsert('id').whenNotMatchedInsertAll().execute(rows),
    )
    const taken = numInsertedRows === rows.length ? [] : await this.#othersOf(rows)
    rows.forEach((row, index) => {
      added[index]!.done(taken.includes(row.id) ? undefined : fromRow(row))
    })
  }

  /** The ids of those rows that are not there as they are here. */
  async #othersOf(rows: RecordRow[]): Promise<string[]> {
    const ids = rows.map(({ id }) => id)
    const there: RecordRow[] = await this.#table.read((table) =>
      table.query().where(oneOf('id', ids)).toArray(),
    )
    const isThere = (row: RecordRow) =>
      there.some(({ id, created_at: createdAt, value }) => {
        return id === row.id && createdAt === row.created_at && value === row.value
      })
    return rows.filter((row) => !isThere(row)).map(({ id }) => id)
  }

  async #swap<R>(
    work: (table: Table, stamp: Stamp) => Promise<R>,
    { deadline, leavesFile = true }: { deadline?: Deadline | undefined; leavesFile?: boolean },
  ): Promise<R> {
    let outcome: PromiseSettledResult<R> | undefined
    const swap = async (stamp: Stamp) => {
      const commit = (table: Table) => work(table, stamp)
      const swapped = this.#commit(1, commit, leavesFile)
      ;[outcome] = await Promise.allSettled([swapped])
    }
    await this.#queue.write({ rows: 1, rewrites: true, swap }, deadline)
    if (outcome?.status !== 'fulfilled') throw outcome?.reason
    return outcome.value
  }

  async #commit<R>(
    rows: number,
    write: (table: Table) => Promise<R>,
    leavesFile?: boolean,
  ): Promise<R> {
    try {
      return await this.#table.commit(rows, write)
    } finally {
      // Also what fails may be done.
      this.#upkeep.committed(rows, leavesFile)
    }
  }
}

const unchanged = <T>(stored: Stored<T>): Filter =>
  and(equal('id', stored.id), equal('rev', stored.rev))
