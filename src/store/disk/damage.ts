import { ServiceError, StartupError } from '../../errors/errors.ts'
import { StoreUnreachable } from '../../errors/store-unreachable.ts'
import { folderOf } from './table-versions.ts'

export const restoreHint = (directory: string | undefined, table: string): string =>
  `With the server stopped, replace ${pathOf(directory, table)} by its newest copy.`

export function recoveryHints(directory: string | undefined, table: string): string {
  const without = withoutCopy[table]
  if (without === undefined) return `${restoreHint(directory, table)} ${whatIsWhole}`
  return `${restoreHint(directory, table)} Where there is none, move ${pathOf(directory, table)} away: ${without}`
}

const pathOf = (directory: string | undefined, table: string): string =>
  directory === undefined ? `${table}.lance of DATA_URI` : folderOf(directory, table)

export const ifPersistent = (table: string): string =>
  `Unless that passes, it is damaged: ${recoveryHints(undefined, table)}`

export function damaged(
  directory: string | undefined,
  table: string,
  reason: string,
  cause: unknown,
): StartupError {
  const message = `The table ${table} is damaged. ${reason} ${recoveryHints(directory, table)}`
  return new StartupError(message, { cause })
}

export function unreadable(table: string, cause: unknown): unknown {
  const isOwn = cause instanceof ServiceError || cause instanceof StoreUnreachable
  if (isOwn || !(cause instanceof Error)) return cause
  const message = `The table ${table} cannot be read. ${cause.message} ${ifPersistent(table)}`
  return new Error(message, { cause })
}

export const withoutCopy: Record<string, string> = {
  store: 'then "npm run -s cli -- store restore-format" makes it again.',
  datastores:
    'then "npm run -s cli -- store check" lists the tables of documents, and "store restore-datastore ID" makes a datastore of each again.',
  keys: 'then make a key with "npm run -s cli -- keys create", or start with INITIAL_KEY.',
  agents: 'then the agents begin anew, with none.',
  knowledge: 'then the agents have no knowledge until they are given it again.',
  messages: 'then the conversations begin anew, with none.',
}

const whatIsWhole = '"npm run -s cli -- store check" says what of the store is whole.'
