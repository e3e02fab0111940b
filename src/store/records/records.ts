import type { Query } from '@lancedb/lancedb'
import type { StartupError } from '../../errors/errors.ts'
import type { Deadline } from '../../process/deadline.ts'
import type { Database } from '../database/database.ts'
import { damaged } from '../disk/damage.ts'
import { after, and, equal, type PageCursor, startsWith } from '../lance/filter.ts'
import type { OpenTable } from '../table/open-table.ts'
import { byNames, nameHolding, nameOf, RecordCache } from './record-cache.ts'
import {
  checkRecords,
  type IsValid,
  fromRow,
  type RecordRow,
  recordSchema,
  type Stored,
} from './record-rows.ts'
import { RecordWrites, type ReplaceOptions } from './record-writes.ts'

type Named<T> = Pick<Stored<T>, 'id' | 'workspace' | 'value'>
type Opened<T> = { table: OpenTable; writes: RecordWrites<T> }

type TextOf<T> = (value: T) => string | undefined

/** Records by id, which change by compare-and-swap on `rev`, wherever they are kept. */
export type Records<T> = Pick<RecordTable<T>, keyof RecordTable<T>>

/** Records in a small table of LanceDB. */
export class RecordTable<T> {
  readonly #state: Opened<T> | Error
  readonly #textOf: TextOf<T>
  readonly #isShared: boolean
  readonly #cache: RecordCache<Stored<T>>

  private constructor(state: Opened<T> | Error, textOf: TextOf<T> = () => undefined) {
    this.#state = state
    this.#textOf = textOf
    this.#isShared = state instanceof Error || state.table.volume.isShared
    this.#cache = new RecordCache<Stored<T>>(
      (names) => this.#read((query) => query.where(byNames(names))),
      (stored) => this.#namesOf(stored),
      this.#isShared,
    )
  }

  /** Opens a table, or makes it. @throws StartupError if it is damaged */
  static async open<T>(
    database: Database,
    name: string,
    isValid: IsValid<T> = () => true,
    textOf?: TextOf<T>,
  ): Promise<RecordTable<T>> {
    const table = await database.ensureTable(name, recordSchema)
    await checkRecords(table, isValid).catch(({ message, cause }: StartupError) => {
      throw damaged(database.directory, name, message, cause)
    })
    const writes = new RecordWrites<T>(table, database)
    await writes.writer.start('created_at')
    return new RecordTable<T>({ table, writes }, textOf)
  }

  static closed<T>(this: void, why: Error): RecordTable<T> {
    return new RecordTable<T>(why)
  }

  get #opened(): Opened<T> {
    if (this.#state instanceof Error) throw this.#state
    return this.#state
  }

  /** Undefined if the id is taken. Two servers that insert equal records in the same millisecond both succeed. */
  async insert(
    id: string,
    workspace: string,
    value: T,
    deadline?: Deadline,
  ): Promise<Stored<T> | undefined> {
    const stored = await this.#opened.writes.insert({ id, workspace, value }, deadline)
    this.#remember({ id, workspace, value }, stored)
    return stored
  }

  async get(id: string, workspace?: string): Promise<Stored<T> | undefined> {
    // Every change of a store of its own is one of this server.
    if (workspace !== undefined && !this.#isShared) return this.recall(id, workspace)
    const where = workspace === undefined ? equal('id', id) : byNames([nameOf(id, workspace)])
    const [stored] = await this.#read((query) => query.where(where))
    return stored
  }

  /** As `get`, but may be some seconds old where other servers write too. */
  recall(id: string, workspace: string): Promise<Stored<T> | undefined> {
    return this.#cache.recall(nameOf(id, workspace))
  }

  /** Recalls the record of an id in any workspace, if it holds a text. */
  recallHolding(id: string, text: string): Promise<Stored<T> | undefined> {
    return this.#cache.recall(nameHolding(id, text))
  }

  /** Oldest first, from after `position`. */
  list(workspace: string | undefined, limit: number, position?: PageCursor): Promise<Stored<T>[]> {
    const filters = [
      ...(workspace === undefined ? [] : [equal('workspace', workspace)]),
      ...(position ? [after('id', position)] : []),
    ]
    return this.#read((query) => {
      const filtered = filters.length > 0 ? query.where(and(...filters)) : query
      return filtered.orderBy([{ columnName: 'created_at' }, { columnName: 'id' }]).limit(limit)
    })
  }

  async ids(): Promise<string[]> {
    const rows = await this.#opened.table.readAll<{ id: string }>((query) => query.select(['id']))
    return rows.map(({ id }) => id)
  }

  ofWorkspaces(prefix: string): Promise<Stored<T>[]> {
    return this.#read((query) => query.where(startsWith('workspace', prefix)))
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#opened.table.read((table) => table.countRows())) === 0
  }

  /** Undefined if another change came first. */
  replace(current: Stored<T>, value: T, options?: ReplaceOptions): Promise<Stored<T> | undefined> {
    return this.#renew(current, () => this.#opened.writes.replace(current, value, options))
  }

  /** Moves a record to another workspace. Undefined if another change came first. */
  move(current: Stored<T>, workspace: string, deadline?: Deadline): Promise<Stored<T> | undefined> {
    return this.#renew(current, () => this.#opened.writes.move(current, workspace, deadline))
  }

  /** Settles when all that can be read is durable. */
  async durable(): Promise<void> {
    await this.#opened.writes.durable()
  }

  /** False if another change came first. */
  async remove(current: Stored<T>): Promise<boolean> {
    try {
      return await this.#opened.writes.remove(current)
    } finally {
      this.#remember(current, undefined)
    }
  }

  async erase(): Promise<void> {
    await this.#opened.writes.writer.erase()
  }

  async idle(): Promise<void> {
    if (!(this.#state instanceof Error)) await this.#state.writes.writer.idle()
  }

  /** Forgets the record even after a failure, because a failed write may be done anyway. */
  async #renew(
    before: Stored<T>,
    write: () => Promise<Stored<T> | undefined>,
  ): Promise<Stored<T> | undefined> {
    let renewed: Stored<T> | undefined
    try {
      renewed = await write()
    } finally {
      this.#remember(before, renewed)
    }
    return renewed
  }

  #remember(before: Named<T>, now: Stored<T> | undefined): void {
    for (const name of this.#namesOf(before)) this.#cache.changed(name, undefined)
    for (const name of now ? this.#namesOf(now) : []) this.#cache.changed(name, now)
  }

  #namesOf({ id, workspace, value }: Named<T>): string[] {
    const text = this.#textOf(value)
    return [nameOf(id, workspace), ...(text === undefined ? [] : [nameHolding(id, text)])]
  }

  async #read(build: (query: Query) => Query): Promise<Stored<T>[]> {
    const { table } = this.#opened
    const rows: RecordRow[] = await table.read((lance) => build(lance.query()).toArray())
    return rows.map((row) => fromRow<T>(row))
  }
}
