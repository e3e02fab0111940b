import type { Deadline } from '../../scheduling/deadline.ts'
import { StartupError } from '../../errors.ts'
import type { Database } from '../database.ts'
import { after, and, equal, type Filter, type Position, startsWith } from '../lance/filter.ts'
import type { OpenTable } from '../table/open-table.ts'
import { waysOut } from '../disk/damage.ts'
import { checkRecords, type IsWhole } from './record-check.ts'
import { RecordCache } from './record-cache.ts'
import { namedFilter, nameOf, namesOf, type Place } from './record-names.ts'
import { fromRow, recordSchema, type Stored } from './record-rows.ts'
import { RecordWrites, type ReplaceOptions } from './record-writes.ts'

/** A small table of things by id, each in a workspace, changed by compare-and-swap on `rev`. */
export class Records<T> {
  readonly #opened: OpenTable | Error
  readonly #writing: RecordWrites<T> | Error
  readonly #remembered = new RecordCache<Stored<T>>(
    (names) => this.#read(namedFilter(names)),
    namesOf,
  )

  private constructor(table: OpenTable | Error, writes: RecordWrites<T> | Error) {
    this.#opened = table
    this.#writing = writes
  }

  /**
   * Opens a table, made when missing, and reads it whole.
   * @throws StartupError where it is damaged, with the way out
   */
  static async open<T>(
    database: Database,
    name: string,
    isWhole: IsWhole<T> = () => true,
  ): Promise<Records<T>> {
    const table = await database.ensureTable(name, recordSchema)
    await checkRecords(table, isWhole).catch((error: unknown) => {
      throw error instanceof StartupError ? damaged(database, name, error) : error
    })
    const records = new Records<T>(table, new RecordWrites<T>(table, database))
    await records.#writes.start()
    return records
  }

  /** A table that cannot be used: whoever reads or writes is told why. */
  static closed<T>(why: Error): Records<T> {
    return new Records<T>(why, why)
  }

  get #table(): OpenTable {
    if (this.#opened instanceof Error) throw this.#opened
    return this.#opened
  }

  get #writes(): RecordWrites<T> {
    if (this.#writing instanceof Error) throw this.#writing
    return this.#writing
  }

  /** Stores a new thing and returns it, or undefined when its id is taken. */
  async insert(
    id: string,
    workspace: string,
    value: T,
    deadline?: Deadline,
  ): Promise<Stored<T> | undefined> {
    const stored = await this.#writes.insert({ id, workspace, value }, deadline)
    this.#changed({ id, workspace }, stored)
    return stored
  }

  /** The thing of that id where it is in that workspace, or in any where none is given. */
  async get(id: string, workspace?: string): Promise<Stored<T> | undefined> {
    const [stored] = await this.#read(namedFilter([nameOf({ id, workspace })]))
    return stored
  }

  /** As `get`, from memory where it was looked up in the last seconds. */
  recall(id: string, workspace?: string): Promise<Stored<T> | undefined> {
    return this.#remembered.recall(nameOf({ id, workspace }))
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

  /** The things of all workspaces whose name begins like that. */
  ofWorkspaces(prefix: string): Promise<Stored<T>[]> {
    return this.#read(startsWith('workspace', prefix))
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#table.read((table) => table.countRows())) === 0
  }

  /** Stores a new value over `current` and returns it, or undefined when another came first. */
  async replace(
    current: Stored<T>,
    value: T,
    options?: ReplaceOptions,
  ): Promise<Stored<T> | undefined> {
    let left: Stored<T> | undefined
    try {
      left = await this.#writes.replace(current, value, options)
    } finally {
      this.#changed(current, left)
    }
    return left
  }

  /** Puts `current` into another workspace and returns it, or undefined when another came first. */
  async move(
    current: Stored<T>,
    workspace: string,
    deadline?: Deadline,
  ): Promise<Stored<T> | undefined> {
    let moved: Stored<T> | undefined
    try {
      moved = await this.#writes.move(current, workspace, deadline)
    } finally {
      this.#changed(current, moved)
    }
    return moved
  }

  /** Settles when everything that can be read is stored for good. */
  durable(): Promise<void> {
    return this.#writes.durable()
  }

  /** Deletes `current`; false when it was changed or deleted first. */
  async remove(current: Stored<T>, deadline?: Deadline): Promise<boolean> {
    try {
      return await this.#writes.remove(current, deadline)
    } finally {
      this.#changed(current, undefined)
    }
  }

  /** Settles when nothing is left to write. */
  async idle(): Promise<void> {
    if (!(this.#opened instanceof Error)) await this.#writes.idle()
  }

  #changed(before: Required<Place>, left: Stored<T> | undefined): void {
    for (const name of namesOf(before)) this.#remembered.changed(name, undefined)
    for (const name of left ? namesOf(left) : []) this.#remembered.changed(name, left)
  }

  async #read(filter: Filter): Promise<Stored<T>[]> {
    const rows = await this.#table.read((table) => table.query().where(filter).toArray())
    return rows.map((row) => fromRow<T>(row))
  }
}

const damaged = (database: Database, name: string, { message, cause }: StartupError) =>
  new StartupError(
    `The table ${name} is damaged. ${message} ${waysOut(database.directory, name)}`,
    { cause },
  )
