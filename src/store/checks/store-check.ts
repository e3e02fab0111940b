import type { Table } from '@lancedb/lancedb'
import type { Database } from '../database.ts'
import { putBack, waysOut } from '../disk/damage.ts'
import { tablePrefix } from '../fragments/fragments.ts'
import { countDamaged, type IsWhole } from '../records/record-check.ts'
import { recordSchema } from '../records/record-rows.ts'
import { fragmentSchema } from '../fragments/rows.ts'
import { recordTables } from './start-checks.ts'

/** What was found of a table: how many rows there are, or what is wrong, and what to do then. */
export type TableReport = { table: string; rows?: number; fault?: string; next?: string }

/**
 * Reads every table of a store whole, and changes nothing.
 * @param isWhole for the values of each table of records
 */
export async function checkStore(
  database: Database,
  isWhole: Record<string, IsWhole<never>>,
): Promise<TableReport[]> {
  const { directory, noted } = database
  const versions = await database.versions()
  const named = await datastoreTables(database)
  const tables = new Set([...recordTables, ...(named ?? []), ...versions.keys()])
  const reports: TableReport[] = []
  for (const table of tables) {
    const version = versions.get(table) ?? 0
    if (version === 0) {
      reports.push({ table, fault: 'is missing', next: wayOut(directory, table) })
      continue
    }
    const report = await checkTable(database, table, isWhole[table] ?? (() => true))
    if (!report.fault && version < (noted.get(table) ?? 0)) {
      Object.assign(report, { fault: 'is older than it was', next: putBack(directory, table) })
    }
    if (!report.fault && table.startsWith(tablePrefix) && named && !named.has(table)) {
      const next = `"store restore-datastore ${table.slice(tablePrefix.length)}" makes one of it again.`
      Object.assign(report, { fault: 'belongs to no datastore', next })
    }
    reports.push(report)
  }
  return reports
}

const wayOut = (directory: string | undefined, table: string): string =>
  recordTables.includes(table) ? waysOut(directory, table) : putBack(directory, table)

/** The columns of a table that are not those of this version; empty where all are. */
export async function foreignColumns(table: Table, name: string): Promise<string[]> {
  const { fields } = name.startsWith(tablePrefix) ? fragmentSchema(1) : recordSchema
  const there = new Set((await table.schema()).fields.map((field) => field.name))
  return fields.map((field) => field.name).filter((field) => !there.has(field))
}

async function checkTable(
  database: Database,
  table: string,
  isWhole: IsWhole<never>,
): Promise<TableReport> {
  const check = table.startsWith(tablePrefix) ? countTorn : countDamagedWith(isWhole)
  try {
    return await database.inspect(table, async (lance) => {
      const damaged = await check(lance)
      const rows = await lance.countRows()
      if (damaged === 0) return { table, rows }
      const next = wayOut(database.directory, table)
      return { table, rows, fault: `is damaged: ${damaged} of its things are not whole`, next }
    })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return { table, fault: `is damaged: ${reason}`, next: wayOut(database.directory, table) }
  }
}

const countDamagedWith =
  (isWhole: IsWhole<never>) =>
  (lance: Table): Promise<number> =>
    countDamaged(lance, isWhole)

/** @returns how many documents have not all of their fragments, once every column was read */
async function countTorn(lance: Table): Promise<number> {
  const missing = new Map<string, number>()
  for await (const batch of lance.query()) {
    const [ids, counts] = [batch.getChild('datasource_id'), batch.getChild('fragment_count')]
    for (let row = 0; row < batch.numRows; row++) {
      const id: string = ids?.get(row)
      missing.set(id, (missing.get(id) ?? counts?.get(row)) - 1)
    }
  }
  return [...missing.values()].filter((left) => left !== 0).length
}

/** The tables that a datastore names, undefined where that cannot be read. */
async function datastoreTables(database: Database): Promise<Set<string> | undefined> {
  try {
    return await database.inspect('datastores', async (lance) => {
      const rows: { id: string }[] = await lance.query().select(['id']).toArray()
      return new Set(rows.map(({ id }) => tablePrefix + id))
    })
  } catch {
    // What is wrong with it is found where it is checked.
    return undefined
  }
}
