import type { Database } from '../database/database.ts'
import { addMissingColumns } from '../formats/columns.ts'
import { dropVectorIndex } from '../indexes/vector-index.ts'
import type { OpenTable } from '../table/open-table.ts'
import { Compaction } from '../upkeep/compaction.ts'
import { IndexKeeper } from '../upkeep/index-keeper.ts'
import { FragmentWrites } from './fragment-writes.ts'
import { tableNameOf } from './fragments.ts'
import type { Gone } from './fragment-change.ts'
import type { DocumentVersion, StoredVersion } from './rows.ts'
import { isOutdated, outdatedAfter, storedVersions } from './stored-versions.ts'

const idsAPage = 5_000
/** What is read at once, so that memory stays bounded: one document, or so many fragments. */
const fragmentsAtOnce = 1_024

/** The table of a datastore that nobody uses, while its documents are written anew. */
export class TableUpgrade {
  readonly #table: OpenTable
  readonly #writes: FragmentWrites

  private constructor(database: Database, table: OpenTable) {
    this.#table = table
    this.#writes = new FragmentWrites(table, database, new IndexKeeper(table, database.jobs))
  }

  /** Opens a table and gives it the columns that it lacks; undefined where there is none. @throws StartupError */
  static async open(database: Database, datastoreId: string): Promise<TableUpgrade | undefined> {
    const table = await database.openTable(tableNameOf(datastoreId))
    if (!table) return undefined
    try {
      await table.commit(0, addMissingColumns)
      await table.sync()
      const upgrade = new TableUpgrade(database, table)
      await upgrade.#writes.start()
      return upgrade
    } catch (error) {
      await table.close()
      throw error
    }
  }

  countOutdated(): Promise<number> {
    return this.#table.read((lance) => lance.countRows(isOutdated))
  }

  /** Each outdated document once, some at a time. Those of which fragments are missing are left out. */
  async *outdated(): AsyncGenerator<StoredVersion[]> {
    for (let last = ''; ;) {
      const page = await outdatedAfter(this.#table, last, idsAPage)
      for (const ids of inGroups(page)) yield storedVersions(this.#table, ids)
      if (page.length < idsAPage) return
      last = page.at(-1)!.id
    }
  }

  /** Settles when they are durable. */
  async rewrite(documents: DocumentVersion[]): Promise<void> {
    await Promise.all(documents.map((document) => this.#writes.rewrite(document)))
  }

  /** Settles when nothing is done to the table any more. */
  close(): Promise<void> {
    return this.#writes.refuse(() => new Error('The upgrade has ended.'))
  }
}

/** Makes all indexes anew of a table that nobody uses, for nothing is in it that they were made of. */
export async function renewIndexes(database: Database, datastoreId: string): Promise<void> {
  const table = await database.openTable(tableNameOf(datastoreId))
  if (!table) return
  const indexes = new IndexKeeper(table, database.jobs)
  try {
    await table.weigh()
    await table.commit(0, dropVectorIndex)
    await indexes.clearWords()
    await new Compaction(
      table,
      { hold: async () => undefined, release: () => undefined },
      database.jobs,
    ).compact()
    await indexes.readState()
    if (indexes.areDue) await indexes.makeDue()
  } finally {
    await table.close()
  }
}

function* inGroups(documents: Gone[]): Generator<string[]> {
  let group: string[] = []
  let fragments = 0
  for (const { id, fragmentCount } of documents) {
    if (group.length > 0 && fragments + fragmentCount > fragmentsAtOnce) {
      yield group
      group = []
      fragments = 0
    }
    group.push(id)
    fragments += fragmentCount
  }
  if (group.length > 0) yield group
}
