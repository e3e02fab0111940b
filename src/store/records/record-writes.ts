import type { Table } from '@lancedb/lancedb'
import type { Deadline } from '../../process/deadline.ts'
import type { Database } from '../database/database.ts'
import { and, equal, oneOf } from '../lance/filter.ts'
import type { OpenTable } from '../table/open-table.ts'
import { type Write, WriteQueue } from '../table/write-queue.ts'
import { type CommitOptions, TableWriter } from '../table/table-writer.ts'
import { fromRow, type RecordRow, type Stored, toRow } from './record-rows.ts'

/** A write that `isSmall` may take the last room on the disk. */
export type ReplaceOptions = { deadline?: Deadline; isSmall?: boolean }

/** An insert, or a compare-and-swap that keeps its outcome and never throws, or neither. */
type RecordWrite<T> = Write & { added?: NewRecord<T>; swap?: () => Promise<void> }

type NewRecord<T> = Pick<Stored<T>, 'id' | 'workspace' | 'value'> & {
  createdAt?: string
  /** Receives the stored record, or undefined if the id is taken. */
  done: (stored: Stored<T> | undefined) => void
}

type SwapOptions = CommitOptions & { deadline?: Deadline | undefined }

/** The writes to a table of records. Compare-and-swap holds among several servers too. */
export class RecordWrites<T> {
  readonly writer: TableWriter<RecordWrite<T>>
  readonly #table: OpenTable

  constructor(table: OpenTable, database: Database) {
    this.#table = table
    const queue = new WriteQueue<RecordWrite<T>>((writes) => this.#write(writes))
    this.writer = new TableWriter(table, queue, database.upkeepOf(table, queue))
  }

  async insert(
    record: Pick<Stored<T>, 'id' | 'workspace' | 'value'>,
    deadline?: Deadline,
  ): Promise<Stored<T> | undefined> {
    let inserted: Stored<T> | undefined
    const done = (stored: Stored<T> | undefined) => (inserted = stored)
    // LanceDB does not compare the rows of one insert with each other.
    const touches = [record.id]
    await this.writer.write({ rows: 1, touches, added: { ...record, done } }, deadline)
    return inserted
  }

  replace(
    current: Stored<T>,
    value: T,
    { deadline, isSmall = false }: ReplaceOptions = {},
  ): Promise<Stored<T> | undefined> {
    const swap = async (table: Table) => {
      if (!isSmall) await this.writer.checkRoom()
      return update(table, current, { ...current, value })
    }
    return this.#swap(swap, { deadline, isSmall })
  }

  /** Moves a record to another workspace as its newest. Allowed on a full disk, because deletes start with it. */
  move(current: Stored<T>, workspace: string, deadline?: Deadline): Promise<Stored<T> | undefined> {
    const swap = (table: Table) =>
      update(table, current, { ...current, workspace, createdAt: this.writer.stamp() })
    return this.#swap(swap, { deadline, leavesFile: false, isSmall: true })
  }

  remove(current: Stored<T>): Promise<boolean> {
    const swap = async (table: Table) => {
      const { numDeletedRows } = await table.delete(unchanged(current))
      return numDeletedRows === 1
    }
    return this.#swap(swap, { isSmall: true })
  }

  durable(): Promise<void> {
    return this.writer.write({ rows: 0 })
  }

  /** Syncs between commits, so that a power cut tears at most one version. */
  async #write(writes: RecordWrite<T>[]): Promise<void> {
    const added = writes.flatMap((write) => write.added ?? [])
    const swaps = writes.flatMap(({ swap }) => swap ?? [])
    if (added.length > 0) await this.#insertAll(added)
    if (added.length > 0 || swaps.length === 0) await this.#table.sync()
    for (const swap of swaps) {
      await swap()
      await this.#table.sync()
    }
  }

  async #insertAll(added: NewRecord<T>[]): Promise<void> {
    await this.writer.checkRoom()
    const rows = added.map((record) => {
      // A retry has to recognize the rows of the first try.
      record.createdAt ??= this.writer.stamp()
      const { id, workspace, createdAt, value } = record
      return toRow({ id, workspace, rev: 1, createdAt, value })
    })
    const { numInsertedRows } = await this.writer.commit(rows.length, (table) =>
      table.mergeInsert('id').whenNotMatchedInsertAll().execute(rows),
    )
    const stored = numInsertedRows === rows.length ? rows : await this.#storedOf(rows)
    rows.forEach((row, index) => {
      added[index]!.done(stored.includes(row) ? fromRow(row) : undefined)
    })
  }

  async #storedOf(rows: RecordRow[]): Promise<RecordRow[]> {
    const ids = rows.map(({ id }) => id)
    const there = await this.#table.readAll<RecordRow>((query) => query.where(oneOf('id', ids)))
    const byId = new Map(there.map((row) => [row.id, row]))
    return rows.filter(({ id, created_at: createdAt, value }) => {
      const row = byId.get(id)
      return row?.created_at === createdAt && row.value === value
    })
  }

  async #swap<R>(
    change: (table: Table) => Promise<R>,
    { deadline, ...options }: SwapOptions,
  ): Promise<R> {
    let outcome: PromiseSettledResult<R> | undefined
    const swap = async () => {
      const swapped = this.writer.commit(1, change, options)
      ;[outcome] = await Promise.allSettled([swapped])
    }
    await this.writer.write({ rows: 1, rewrites: true, swap }, deadline)
    if (outcome?.status !== 'fulfilled') throw outcome?.reason
    return outcome.value
  }
}

/** Writes `changed` over `current` as its next revision. Undefined if another change came first. */
async function update<T>(
  table: Table,
  current: Stored<T>,
  changed: Stored<T>,
): Promise<Stored<T> | undefined> {
  const stored = { ...changed, rev: current.rev + 1 }
  const { id: _, ...values } = toRow(stored)
  const { rowsUpdated } = await table.update({ where: unchanged(current), values })
  // An earlier version may have stored two of one id.
  return rowsUpdated > 0 ? stored : undefined
}

const unchanged = <T>({ id, rev }: Stored<T>) => and(equal('id', id), equal('rev', rev))
