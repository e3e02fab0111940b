import type { Table } from '@lancedb/lancedb'
import type { Database } from '../database/database.ts'
import { missingColumns } from '../formats/columns.ts'
import { tableNameOf } from './fragments.ts'
import { isOutdated } from './stored-versions.ts'

/** Whether a copy from before an upgrade was restored. Reads only tables that differ from their notes. */
export async function isAnyPutBack(database: Database, datastoreIds: string[]): Promise<boolean> {
  if (!database.exclusive) return false
  const versions = await database.versions()
  for (const table of datastoreIds.map(tableNameOf)) {
    const version = versions.get(table) ?? 0
    if (version === 0 || version === database.noted.get(table)) continue
    // A table that cannot be read is reported when it is used.
    if (await database.inspect(table, hasOutdated).catch(() => false)) return true
  }
  return false
}

async function hasOutdated(lance: Table): Promise<boolean> {
  if ((await missingColumns(lance)).length > 0) return true
  return (await lance.countRows(isOutdated)) > 0
}
