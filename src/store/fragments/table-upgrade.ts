import type { Database } from '../database/database.ts'
import { addMissingColumns } from '../formats/columns.ts'
import { dropVectorIndex } from '../indexes/vector-index.ts'
import type { OpenTable } from '../table/open-table.ts'
import { Compaction } from '../upkeep/compaction.ts'
import { RecentRows } from '../search/recent-rows.ts'
import { IndexKeeper } from '../upkeep/index-keeper.ts'
import { FragmentWrites } from './fragment-writes.ts'
import { tableNameOf } from './fragments.ts'
import type { Gone } from './fragment-change.ts'
import type { DocumentVersion, StoredVersion } from '../table/document.ts'
import { isOutdated, outdatedAfter, storedVersions } from './stored-versions.ts'

const idsAPage = 5_000
/** Bounds memory: one document is read at once, or so many fragments. */
const fragmentsAtOnce = 1_024

/** The table of a datastore that is not open, while its documents are written anew. */
export class TableUpgrade {
  readonly #table: OpenTable
  readonly #writes: FragmentWrites

  private constructor(database: Database, table: OpenTable) {
    this.#table = table
    const recent = new RecentRows()
    const indexes = new IndexKeeper(table, database.jobs, recent)
    this.#writes = new FragmentWrites(table, database, indexes, recent)
  }

  /** Opens a table and adds the columns that it lacks. Undefined if there is none. @throws StartupError */
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

  /** Yields each outdated document once, some at a time. Documents that lack fragments are left out. */
  async *outdated(): AsyncGenerator<StoredVersion[]> {
    for (let last = ''; ;) {
      const page = await outdatedAfter(this.#table, last, idsAPage)
      for (const ids of inGroups(page)) yield storedVersions(this.#table, ids)
      if (page.length < idsAPage) return
      last = page.at(-1)!.id
    }
  }

  async rewrite(documents: DocumentVersion[]): Promise<void> {
    await Promise.all(documents.map((document) => this.#writes.rewrite(document)))
  }

  /** Settles when no work on the table runs any more. */
  close(): Promise<void> {
    return this.#writes.refuse(() => new Error('The upgrade has ended.'))
  }
}

/** Rebuilds every index of a table that is not open: its rows have all been rewritten. */
export async function renewIndexes(database: Database, datastoreId: string): Promise<void> {
  const table = await database.openTable(tableNameOf(datastoreId))
  if (!table) return
  const indexes = new IndexKeeper(table, database.jobs, new RecentRows())
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
    if (indexes.needsBuild) await indexes.build()
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
