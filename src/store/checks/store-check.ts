import type { Table } from '@lancedb/lancedb'
import type { Schema } from 'apache-arrow'
import type { Database } from '../database/database.ts'
import { restoreHint, recoveryHints } from '../disk/damage.ts'
import { addedColumns } from '../fragments/formats.ts'
import { datastoreOf, tableNameOf } from '../fragments/fragments.ts'
import { fragmentSchema } from '../fragments/rows.ts'
import { messageOf } from '../lance/faults.ts'
import { countDamaged, countUnless, type IsValid, recordSchema } from '../records/record-rows.ts'
import { isValidMessage, messageSchema } from '../records/message-table.ts'
import { messagesTable } from '../records/messages.ts'
import { newerTables, recordTables } from './start-checks.ts'

export type TableReport = { table: string; rows?: number; fault?: string; next?: string }

type DatastoreRow = { id: string; workspace: string }

/**
 * Reads every table whole and changes nothing. `isValid` judges the values of records. Says nothing of the
 * table of a datastore that `isDeleting`, of which only a part may be there.
 */
export async function checkStore(
  database: Database,
  isValid: Record<string, IsValid<never>>,
  isDeleting: (workspace: string) => boolean,
): Promise<TableReport[]> {
  const versions = await database.versions()
  const datastores = await datastoresOf(database)
  const named = datastores && new Set(datastores.map(({ id }) => tableNameOf(id)))
  const deleting = datastores?.flatMap((one) =>
    isDeleting(one.workspace) ? tableNameOf(one.id) : [],
  )
  const reports: TableReport[] = []
  const known = [...recordTables, ...newerTables.filter((table) => database.noted.has(table))]
  const tables = new Set([...known, ...(named ?? []), ...versions.keys()])
  for (const table of tables.difference(new Set(deleting))) {
    const version = versions.get(table) ?? 0
    const report =
      version === 0
        ? { table, fault: 'is missing', next: wayOut(database, table) }
        : await readTable(database, table, isValid[table] ?? (() => true))
    const other = staleOf(database, table, version) ?? strayOf(table, named)
    reports.push(report.fault === undefined ? { ...report, ...other } : report)
  }
  return reports
}

const wayOut = ({ directory }: Database, table: string): string =>
  [...recordTables, ...newerTables].includes(table)
    ? recoveryHints(directory, table)
    : restoreHint(directory, table)

const staleOf = ({ directory, noted }: Database, table: string, version: number) =>
  version < (noted.get(table) ?? 0)
    ? { fault: 'is older than it was', next: restoreHint(directory, table) }
    : undefined

function strayOf(table: string, named: Set<string> | undefined) {
  const id = datastoreOf(table)
  if (!named || named.has(table) || id === undefined) return undefined
  const next = `"store restore-datastore ${id}" makes one of it again.`
  return { fault: 'belongs to no datastore', next }
}

/** The columns of this version that a table lacks, except those that an upgrade adds. */
export async function foreignColumns(table: Table, name: string): Promise<string[]> {
  const { fields } = schemaOf(name)
  const wanted = namesOf(fields).difference(namesOf(addedColumns))
  return [...wanted.difference(namesOf((await table.schema()).fields))]
}

const namesOf = (columns: { name: string }[]): Set<string> =>
  new Set(columns.map(({ name }) => name))

function schemaOf(table: string): Schema {
  if (table === messagesTable) return messageSchema
  return datastoreOf(table) === undefined ? recordSchema : fragmentSchema(1)
}

async function readTable(
  database: Database,
  table: string,
  isValid: IsValid<never>,
): Promise<TableReport> {
  const next = wayOut(database, table)
  const count = (lance: Table) => {
    if (table === messagesTable) return countUnless(lance, isValidMessage)
    return datastoreOf(table) === undefined ? countDamaged(lance, isValid) : countTorn(lance)
  }
  try {
    return await database.inspect(table, async (lance) => {
      const damaged = await count(lance)
      const rows = await lance.countRows()
      if (damaged === 0) return { table, rows }
      return { table, rows, fault: `is damaged: ${damaged} of its things are not whole`, next }
    })
  } catch (cause) {
    return { table, fault: `is damaged: ${messageOf(cause)}`, next }
  }
}

/** Reads every column. @returns how many documents lack fragments */
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

/** Undefined if the datastores cannot be read, which their own check reports. */
const datastoresOf = (database: Database): Promise<DatastoreRow[] | undefined> =>
  database
    .inspect('datastores', (lance) => lance.query().select(['id', 'workspace']).toArray())
    .catch(() => undefined)
