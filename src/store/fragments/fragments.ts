import { NotFound } from '../../errors.ts'
import type { Database } from '../database.ts'
import { FragmentTable, type Shared } from './fragment-table.ts'
import { dimensionsOf } from '../indexes/vector-index.ts'
import type { OpenTable } from '../table/open-table.ts'
import { fragmentSchema, modelKey } from './rows.ts'
import { RowCache } from '../search/row-cache.ts'
import { SearchBudget } from '../search/search-budget.ts'

/** What the names of tables of fragments begin with. */
export const tablePrefix = 'fragments_'

/** The tables of fragments, one a datastore. */
export class Fragments {
  readonly #database: Database
  readonly #shared: Shared = { rows: new RowCache(), budget: new SearchBudget() }
  readonly #open = new Map<string, Promise<FragmentTable>>()

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Makes an empty table for a new datastore; durable when it settles.
   * @param model whose vectors it is for, which its schema keeps
   */
  async create(datastoreId: string, dimensions: number, model?: string): Promise<void> {
    const schema = fragmentSchema(dimensions, model)
    const table = await this.#database.createTable(tablePrefix + datastoreId, schema)
    this.#open.set(datastoreId, Promise.resolve(await this.#started(table, datastoreId)))
  }

  /**
   * The table of a datastore, opened once.
   * @throws NotFound when it has been dropped
   */
  of(datastoreId: string): Promise<FragmentTable> {
    const known = this.#open.get(datastoreId)
    if (known) return known
    const opened = this.#openTable(datastoreId)
    this.#open.set(datastoreId, opened)
    opened.catch(() => this.#open.delete(datastoreId))
    return opened
  }

  /** Drops a datastore's table once running writes are done; waiting and later ones are refused. */
  async drop(datastoreId: string): Promise<void> {
    const table = await this.of(datastoreId)
    await table.refuseWrites()
    await this.#database.dropTable(tablePrefix + datastoreId)
    this.#open.delete(datastoreId)
  }

  /** Drops the table of a datastore that nobody uses, if there is one. */
  async dropClosed(datastoreId: string): Promise<void> {
    const name = tablePrefix + datastoreId
    if ((await this.#database.tableNames()).includes(name)) await this.#database.dropTable(name)
  }

  /** Whether a datastore has a table with anything in it. */
  async hasRows(datastoreId: string): Promise<boolean> {
    const table = await this.#database.openTable(tablePrefix + datastoreId)
    try {
      return ((await table?.read((lance) => lance.countRows())) ?? 0) > 0
    } finally {
      await table?.close()
    }
  }

  /** The datastores that have a table. */
  async ids(): Promise<string[]> {
    const names = await this.#database.tableNames()
    return names
      .filter((name) => name.startsWith(tablePrefix))
      .map((name) => name.slice(tablePrefix.length))
  }

  /** Settles when nothing is left to write. */
  async idle(): Promise<void> {
    const idle = Array.from(this.#open.values(), async (opened) => {
      const table = await opened.catch(() => undefined)
      await table?.writes.idle()
    })
    await Promise.all(idle)
  }

  async #openTable(datastoreId: string): Promise<FragmentTable> {
    const table = await this.#database.openTable(tablePrefix + datastoreId)
    if (!table) throw new NotFound('datastore', datastoreId)
    return this.#started(table, datastoreId)
  }

  async #started(table: OpenTable, datastoreId: string): Promise<FragmentTable> {
    try {
      const fragments = new FragmentTable(table, datastoreId, this.#database, this.#shared)
      await fragments.writes.start()
      return fragments
    } catch (error) {
      await table.close()
      throw error
    }
  }
}

/** Of what length the vectors in a datastore's table are, and of which model where it says so. */
export async function vectorsOf(
  database: Database,
  datastoreId: string,
): Promise<{ dimensions: number; model: string | undefined } | undefined> {
  const table = await database.openTable(tablePrefix + datastoreId)
  try {
    return await table?.read(async (lance) => {
      const { metadata } = await lance.schema()
      return { dimensions: await dimensionsOf(lance), model: metadata.get(modelKey) }
    })
  } finally {
    await table?.close()
  }
}
