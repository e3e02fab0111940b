import { StartupError } from '../../errors/errors.ts'
import type { Log } from '../../process/log.ts'
import type { Database } from '../database/database.ts'
import { restoreHint, withoutCopy } from '../disk/damage.ts'
import { datastoreOf, tableNameOf } from '../fragments/fragments.ts'

export const recordTables = ['store', 'datastores', 'keys', 'agents']

export const newerTables = ['knowledge', 'messages']

type FoundTables = {
  /** Whether what is missing was lost. */
  isOld: boolean
  has(table: string): boolean
  /** Whether there is anything but keys. */
  hasData: boolean
}

export async function tablesOf(database: Database): Promise<FoundTables> {
  const versions = await database.versions()
  const has = (table: string) => (versions.get(table) ?? 0) > 0
  const wasWritten = (table: string) => (versions.get(table) ?? 0) > 1
  const hasFragments = [...versions.keys()].some((table) => datastoreOf(table) !== undefined)
  const hasData = hasFragments || wasWritten('agents') || (database.noted.get('keys') ?? 0) > 1
  const isOld = hasData || wasWritten('keys') || wasWritten('datastores') || database.noted.size > 0
  return { isOld, has, hasData }
}

/** Logs which tables are older or were made again. @throws StartupError if one is missing that must not be */
export async function checkTables(
  database: Database,
  mayBeginKeys: boolean,
  log: Log,
): Promise<void> {
  await logOlder(database, log)
  const tables = await tablesOf(database)
  if (!tables.isOld) return
  const isMissing = (table: string) => !tables.has(table)
  if (isMissing('store')) throw new StartupError(withoutFormat(database))
  if (isMissing('datastores') && tables.hasData) throw new StartupError(withoutDatastores(database))
  if (isMissing('keys') && !mayBeginKeys) throw new StartupError(withoutKeys(database))
  const wasThere = (table: string) => database.noted.has(table)
  const expected = ['datastores', 'keys', 'agents', ...newerTables.filter(wasThere)]
  for (const table of expected.filter(isMissing)) {
    const message = `The table ${table} is missing and begins anew, empty.`
    log.error({ table }, `${message} ${restoreHint(database.directory, table)}`)
  }
}

export const withoutFormat = (database: Database): string =>
  `The table store, which says the format of all others, is missing or empty. ${bothWays(database, 'store')}`

export const withoutKeys = (database: Database): string =>
  `The table keys is missing or empty in a store that was in use, and no key is made unasked. ${bothWays(database, 'keys')}`

const withoutDatastores = (database: Database): string =>
  `The table datastores is missing; the documents are there. ${bothWays(database, 'datastores')}`

const bothWays = ({ directory }: Database, table: string): string =>
  `${restoreHint(directory, table)} Where there is none, ${withoutCopy[table]?.replace(/^then /, '')}`

async function logOlder(database: Database, log: Log): Promise<void> {
  const versions = await database.versions()
  for (const [table, noted] of database.noted) {
    const version = versions.get(table) ?? 0
    if (version === 0 || version >= noted) continue
    const message = `The table ${table} is older than it was: what came since is missing.`
    log.error({ table, version, noted }, `${message} ${restoreHint(database.directory, table)}`)
  }
}

/** Logs tables that no datastore names, and datastores without a table. */
export async function reportStrays(
  database: Database,
  datastoreIds: string[],
  log: Log,
): Promise<void> {
  const versions = await database.versions()
  const known = new Set(datastoreIds.map((id) => tableNameOf(id)))
  for (const table of versions.keys()) {
    const id = datastoreOf(table)
    if (id === undefined || known.has(table)) continue
    log.warn(
      { table },
      `No datastore names the table ${table}: it is kept. With the server stopped, "npm run -s cli -- store restore-datastore ${id}" makes a datastore of it again.`,
    )
  }
  for (const table of known) {
    if ((versions.get(table) ?? 0) > 0) continue
    const message = `The table ${table} of a datastore is missing.`
    log.error({ table }, `${message} ${restoreHint(database.directory, table)}`)
  }
}
