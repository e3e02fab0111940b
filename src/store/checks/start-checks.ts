import { StartupError } from '../../errors.ts'
import type { Log } from '../../process/log.ts'
import { putBack, withoutCopy } from '../disk/damage.ts'
import type { Database } from '../database.ts'
import { tablePrefix } from '../fragments/fragments.ts'

/** The tables that every store has. */
export const recordTables = ['store', 'datastores', 'keys', 'agents']

/** What the tables of a store are at a start, before any is opened or made. */
export type Tables = {
  /** Whether it was whole once, so that what is missing was lost. */
  isOld: boolean
  has(table: string): boolean
  /** Whether anything is in it besides keys. */
  hasData: boolean
}

export async function tablesOf(database: Database): Promise<Tables> {
  const versions = await database.versions()
  const has = (table: string) => (versions.get(table) ?? 0) > 0
  const wasWritten = (table: string) => (versions.get(table) ?? 0) > 1
  const hasFragments = [...versions.keys()].some((table) => table.startsWith(tablePrefix))
  const hasData = hasFragments || wasWritten('agents') || (database.noted.get('keys') ?? 0) > 1
  const isOld = hasData || wasWritten('keys') || wasWritten('datastores') || database.noted.size > 0
  return { isOld, has, hasData }
}

/**
 * Says which tables are older than they were, and stops the start where one is missing that cannot
 * begin anew.
 * @param mayBeginKeys whether somebody asked for a key
 * @throws StartupError saying the way out
 */
export async function checkTables(
  database: Database,
  mayBeginKeys: boolean,
  log: Log,
): Promise<void> {
  await tellOlder(database, log)
  const tables = await tablesOf(database)
  if (!tables.isOld) return
  const missing = (table: string) => !tables.has(table)
  if (missing('store')) throw new StartupError(withoutFormat(database))
  if (missing('datastores') && tables.hasData) throw new StartupError(withoutDatastores(database))
  if (missing('keys') && !mayBeginKeys) throw new StartupError(withoutKeys(database))
  for (const table of ['datastores', 'keys', 'agents'].filter(missing)) {
    log.error(
      { table },
      `The table ${table} is missing and begins anew, empty. ${putBack(database.directory, table)}`,
    )
  }
}

/** Of a store that has lost its format; also where the table was only emptied. */
export const withoutFormat = (database: Database): string =>
  `The table store, which says the format of all others, is missing or empty. ${bothWays(database, 'store')}`

/** Of a store that was in use and has no key; also where the table was only emptied. */
export const withoutKeys = (database: Database): string =>
  `The table keys is missing or empty in a store that was in use, and no key is made unasked. ${bothWays(database, 'keys')}`

const withoutDatastores = (database: Database): string =>
  `The table datastores is missing; the documents are there. ${bothWays(database, 'datastores')}`

const bothWays = ({ directory }: Database, table: string): string =>
  `${putBack(directory, table)} Where there is none, ${withoutCopy[table]?.replace(/^then /, '')}`

async function tellOlder(database: Database, log: Log): Promise<void> {
  const versions = await database.versions()
  for (const [table, noted] of database.noted) {
    const version = versions.get(table) ?? 0
    if (version === 0 || version >= noted) continue
    log.error(
      { table, version, noted },
      `The table ${table} is older than it was: what came since is missing. ${putBack(database.directory, table)}`,
    )
  }
}

/** Says which tables no datastore names, and which datastores have no table. Nothing is changed. */
export async function tellStrays(
  database: Database,
  datastoreIds: string[],
  log: Log,
): Promise<void> {
  const versions = await database.versions()
  const known = new Set(datastoreIds.map((id) => tablePrefix + id))
  for (const table of versions.keys()) {
    if (!table.startsWith(tablePrefix) || known.has(table)) continue
    const id = table.slice(tablePrefix.length)
    log.warn(
      { table },
      `No datastore names the table ${table}: it is kept. With the server stopped, "npm run -s cli -- store restore-datastore ${id}" makes a datastore of it again.`,
    )
  }
  for (const table of known) {
    if ((versions.get(table) ?? 0) > 0) continue
    log.error(
      { table },
      `The table ${table} of a datastore is missing. ${putBack(database.directory, table)}`,
    )
  }
}
