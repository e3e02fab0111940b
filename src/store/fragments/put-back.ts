import type { Table } from '@lancedb/lancedb'
import type { Database } from '../database.ts'
import { missingColumns } from '../formats/columns.ts'
import { tableNameOf } from './fragments.ts'
import { isOutdated } from './stored-versions.ts'

/**
 * Whether one of these datastores has a table with outdated documents: somebody put a copy of it back
 * that was made before an upgrade. Only tables are looked at that are not as they were noted.
 */
export async function isAnyPutBack(database: Database, datastoreIds: string[]): Promise<boolean> {
  if (!database.exclusive) return false
  const versions = await database.versions()
  for (const table of datastoreIds.map(tableNameOf)) {
    const version = versions.get(table) ?? 0
    if (version === 0 || version === database.noted.get(table)) continue
    // What cannot be read is told when it is used.
    if (await database.inspect(table, hasOutdated).catch(() => false)) return true
  }
  return false
}

async function hasOutdated(lance: Table): Promise<boolean> {
  if ((await missingColumns(lance)).length > 0) return true
  return (await lance.countRows(isOutdated)) > 0
}
