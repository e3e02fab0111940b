import type { Table } from '@lancedb/lancedb'
import { Field, Int32, Schema, Utf8 } from 'apache-arrow'
import type { Deadline } from '../deadline.ts'
import type { Database } from './database.ts'
import { after, and, equal, type Filter, oneOf, type Position } from './filter.ts'
import { translated } from './faults.ts'
import type { OpenTable } from './open-table.ts'
import { RecordCache } from './record-cache.ts'
import { primaryKey } from './schema.ts'
import { type Stamp, type Write, WriteQueue } from './write-queue.ts'

/** A thing kept in a table of small things: its value, and the revision that `replace` compares. */
export type Stored<T> = {
  id: string
  workspace: string
  rev: number
  createdAt: string
  value: T
}

type Row = { id: string; workspace: string; rev: number; created_at: string; value: string }

const schema = new Schema([
  primaryKey('id'),
  new Field('workspace', new Utf8(), false),
  new Field('rev', new Int32(), false),
  new Field('created_at', new Utf8(), false),
  new Field('value', new Utf8(), false),
])

type RecordWrite = Write & { work: (table: Table, stamp: Stamp) => Promise<void> }

/** A small table of things by id, each in a workspace, changed by compare-and-swap on `rev`. */
export class Records<T> {
  readonly #table: OpenTable
  readonly #queue: WriteQueue<RecordWrite>
  readonly #remembered = new RecordCache<Stored<T>>((ids) => this.#read(oneOf('id', ids)))

  private constructor(table: OpenTable) {
    this.#table = table
    this.#queue = new WriteQueue(
      (writes, stamp) => this.#write(writes, stamp),
      () => table.tidy(),
    )
  }

  static async open<T>(database: Database, name: string): Promise<Records<T>> {
    return new Records<T>(await database.ensureTable(name, schema))
  }

  /** Stores a new thing and returns it, or undefined when its id is taken. */
  insert(
    id: string,
    workspace: string,
    value: T,
    deadline?: Deadline,
  ): Promise<Stored<T> | undefined> {
    return this.#run(async (table, stamp) => {
      await this.#table.checkRoom()
      const stored: Stored<T> = { id, workspace, rev: 1, createdAt: stamp(), value }
      const { numInsertedRows } = await table
        .mergeInsert('id')
        .whenNotMatchedInsertAll()
        .execute([toRow(stored)])
      return this.#remember(id, numInsertedRows === 1 ? stored : undefined)
    }, deadline)
  }

  async get(id: string): Promise<Stored<T> | undefined> {
    const [stored] = await this.#read(equal('id', id))
    return stored
  }

  /** As `get`, from memory where it was looked up in the last seconds. */
  recall(id: string): Promise<Stored<T> | undefined> {
    return this.#remembered.recall(id)
  }

  /** The things of a workspace, or of all, oldest first, from after `position`. */
  async list(
    workspace: string | undefined,
    limit: number,
    position?: Position,
  ): Promise<Stored<T>[]> {
    const filters = [
      ...(workspace === undefined ? [] : [equal('workspace', workspace)]),
      ...(position ? [after('id', position)] : []),
    ]
    const rows = await this.#table.read((table) => {
      const all = table
        .query()
        .orderBy([{ columnName: 'created_at' }, { columnName: 'id' }])
        .limit(limit)
      return (filters.length > 0 ? all.where(and(...filters)) : all).toArray()
    })
    return rows.map((row) => fromRow<T>(row))
  }

  /** Every id in the table. */
  async ids(): Promise<string[]> {
    const rows = await this.#table.read((table) => table.query().select(['id']).toArray())
    return rows.map((row: { id: string }) => row.id)
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#table.read((table) => table.countRows())) === 0
  }

  /** Stores a new value over `current` and returns it, or undefined when another came first. */
  replace(current: Stored<T>, value: T, deadline?: Deadline): Promise<Stored<T> | undefined> {
    return this.#run(async (table) => {
      await this.#table.checkRoom()
      const replaced = { ...current, rev: current.rev + 1, value }
      const { rowsUpdated } = await table.update({
        where: unchanged(current),
        values: { rev: replaced.rev, value: JSON.stringify(value) },
      })
      return this.#remember(current.id, rowsUpdated === 1 ? replaced : undefined)
    }, deadline)
  }

  /** Deletes `current`; false when it was changed or deleted first. */
  remove(current: Stored<T>, deadline?: Deadline): Promise<boolean> {
    return this.#run(async (table) => {
      const { numDeletedRows } = await table.delete(unchanged(current))
      this.#remembered.changed(current.id, undefined)
      return numDeletedRows === 1
    }, deadline)
  }

  /** Settles when nothing is left to write. */
  async idle(): Promise<void> {
    await this.#queue.idle()
    await this.#table.settled()
  }

  /** One compare-and-swap after the other, each with its own outcome, and one sync for all. */
  async #write(writes: RecordWrite[], stamp: Stamp): Promise<void> {
    for (const { work } of writes) await this.#table.commit((table) => work(table, stamp))
    await this.#table.sync()
  }

  async #run<R>(
    work: (table: Table, stamp: Stamp) => Promise<R>,
    deadline: Deadline | undefined,
  ): Promise<R> {
    let outcome: PromiseSettledResult<R> | undefined
    const settled = async (table: Table, stamp: Stamp) => {
      ;[outcome] = await Promise.allSettled([translated(work(table, stamp))])
    }
    await this.#queue.run({ rows: 1, work: settled }, deadline)
    if (outcome?.status !== 'fulfilled') throw outcome?.reason
    return outcome.value
  }

  /** Makes what a write left the answer to the next `recall`; undefined when another came first. */
  #remember(id: string, stored: Stored<T> | undefined): Stored<T> | undefined {
    this.#remembered.changed(id, stored)
    return stored
  }

  async #read(filter: Filter): Promise<Stored<T>[]> {
    const rows = await this.#table.read((table) => table.query().where(filter).toArray())
    return rows.map((row) => fromRow<T>(row))
  }
}

const unchanged = <T>(stored: Stored<T>): Filter =>
  and(equal('id', stored.id), equal('rev', stored.rev))

function toRow<T>({ id, workspace, rev, createdAt, value }: Stored<T>): Row {
  return { id, workspace, rev, created_at: createdAt, value: JSON.stringify(value) }
}

function fromRow<T>({ id, workspace, rev, created_at, value }: Row): Stored<T> {
  return { id, workspace, rev, createdAt: created_at, value: JSON.parse(value) }
}
