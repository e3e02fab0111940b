import type { Table } from '@lancedb/lancedb'
import { DocumentsUnreadable, NotFound, orUndefined, StartupError } from '../../errors/errors.ts'
import type { Database } from '../database/database.ts'
import { addMissingColumns, missingColumns } from './formats.ts'
import { dimensionsOf } from '../lance/search-indexes.ts'
import { RecentBudget } from './recent-rows.ts'
import { RowCache } from './row-cache.ts'
import { SearchBudget } from './search-batch.ts'
import type { OpenTable } from '../table/open-table.ts'
import { isErased } from '../table/job.ts'
import { FragmentTable, type Shared } from './fragment-table.ts'
import { fragmentSchema, type VectorMaker, vectorMakerOf } from './rows.ts'

const tablePrefix = 'fragments_'

/** A table put back from an older copy is refused. The command makes the next start upgrade it. */
const olderFormat =
  'is of an older format. Stop the server, run "npm run -s cli -- store restore-format", and start it again: that upgrades it.'

export const tableNameOf = (datastoreId: string): string => tablePrefix + datastoreId

/** The id of the datastore whose table has that name. Undefined for tables of records. */
export const datastoreOf = (table: string): string | undefined =>
  table.startsWith(tablePrefix) ? table.slice(tablePrefix.length) : undefined

export class Fragments {
  readonly #database: Database
  readonly #shared: Shared = {
    rows: new RowCache(),
    recent: new RecentBudget(),
    budget: new SearchBudget(),
  }
  readonly #open = new Map<string, Promise<FragmentTable>>()

  constructor(database: Database) {
    this.#database = database
  }

  get areShared(): boolean {
    return !this.#database.exclusive
  }

  /** Sets how to tell a dropped table from a damaged one. A late write may leave a part of a dropped table. */
  setDeletedCheck(isDeleted: (datastoreId: string) => Promise<boolean>): void {
    this.#database.isGone = async (table) => {
      const id = datastoreOf(table)
      return id !== undefined && isDeleted(id).catch(() => false)
    }
  }

  /** Makes an empty table, durable when it settles. Its schema records the model of its vectors. */
  async create(datastoreId: string, dimensions: number, maker?: VectorMaker): Promise<void> {
    const schema = fragmentSchema(dimensions, maker)
    const table = await this.#database.createTable(tableNameOf(datastoreId), schema, 'recent')
    this.#open.set(datastoreId, Promise.resolve(await this.#started(table, datastoreId)))
  }

  /** The table of a datastore, opened once. @throws NotFound when it has been dropped */
  of(datastoreId: string): Promise<FragmentTable> {
    const known = this.#open.get(datastoreId)
    if (known) return known
    const opened = this.#openTable(datastoreId)
    this.#open.set(datastoreId, opened)
    opened.catch(() => this.#open.delete(datastoreId))
    return opened
  }

  /** Drops a table, even a damaged one, after running writes. Waiting and later writes are refused. */
  async drop(datastoreId: string): Promise<void> {
    const table = await this.of(datastoreId).catch(orUndefined(NotFound, DocumentsUnreadable))
    if (!table) return this.dropClosed(datastoreId)
    await table.refuseWrites()
    await this.#database.dropTable(tableNameOf(datastoreId))
    this.#open.delete(datastoreId)
  }

  /** Drops the table, if any, of a datastore that is not open. */
  async dropClosed(datastoreId: string): Promise<void> {
    const name = tableNameOf(datastoreId)
    if ((await this.#database.tableNames()).includes(name)) await this.#database.dropTable(name)
  }

  /** Brings the table of a datastore that is not open to the current format. @returns whether there is one */
  async addMissingColumns(datastoreId: string): Promise<boolean> {
    const table = await this.#database.openTable(tableNameOf(datastoreId))
    if (!table) return false
    try {
      await table.commit(0, addMissingColumns)
      await table.sync()
      return true
    } finally {
      await table.close()
    }
  }

  async hasRows(datastoreId: string): Promise<boolean> {
    const rows = await readClosed(this.#database, datastoreId, (lance) => lance.countRows())
    return (rows ?? 0) > 0
  }

  /** Blocks a datastore until the next start. It can still be dropped. */
  refuse(datastoreId: string, why: Error): void {
    const refused = Promise.reject(new DocumentsUnreadable(datastoreId, why))
    refused.catch(() => undefined)
    this.#open.set(datastoreId, refused)
  }

  async erase(datastoreId: string): Promise<void> {
    if (!this.#open.has(datastoreId) && (await this.#isErased(datastoreId))) return
    const table = await this.of(datastoreId).catch(orUndefined(NotFound))
    await table?.writes.writer.erase()
  }

  #isErased(datastoreId: string): Promise<boolean> {
    return this.#database.inspect(tableNameOf(datastoreId), isErased).catch(() => false)
  }

  async idle(): Promise<void> {
    const opened = await Promise.allSettled(this.#open.values())
    const tables = opened.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    await Promise.all(tables.map(({ writes }) => writes.writer.idle()))
  }

  async #openTable(datastoreId: string): Promise<FragmentTable> {
    const name = tableNameOf(datastoreId)
    const table = await this.#database.openTable(name, 'recent').catch((cause: unknown) => {
      throw cause instanceof StartupError ? new DocumentsUnreadable(datastoreId, cause) : cause
    })
    if (!table) throw new NotFound('datastore', datastoreId)
    const missing = await table.read(missingColumns)
    if (missing.length === 0) return this.#started(table, datastoreId)
    await table.close()
    throw new DocumentsUnreadable(datastoreId, new StartupError(`The table ${name} ${olderFormat}`))
  }

  async #started(table: OpenTable, datastoreId: string): Promise<FragmentTable> {
    try {
      const fragments = new FragmentTable(table, datastoreId, this.#database, this.#shared)
      await fragments.writes.start()
      void this.#closeDropped().catch(() => undefined)
      return fragments
    } catch (error) {
      await table.close()
      throw error
    }
  }

  async #closeDropped(): Promise<void> {
    if (!this.areShared) return
    const open = [...this.#open]
    const names = new Set(await this.#database.tableNames())
    for (const [id, opened] of open) {
      if (names.has(tableNameOf(id))) continue
      const table = await opened.catch(() => undefined)
      this.#open.delete(id)
      await table?.refuseWrites()
    }
  }
}

/** The vectors of a datastore that is not open. Older tables do not name the model. */
export const vectorsOf = (
  database: Database,
  datastoreId: string,
): Promise<{ dimensions: number; maker: VectorMaker | undefined } | undefined> =>
  readClosed(database, datastoreId, async (lance) => {
    const { metadata } = await lance.schema()
    return { dimensions: await dimensionsOf(lance), maker: vectorMakerOf(metadata) }
  })

async function readClosed<T>(
  database: Database,
  datastoreId: string,
  read: (lance: Table) => Promise<T>,
): Promise<T | undefined> {
  const table = await database.openTable(tableNameOf(datastoreId))
  try {
    return await table?.read(read)
  } finally {
    await table?.close()
  }
}
