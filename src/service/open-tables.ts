import { type AgentFields, isValidAgent } from '../domain/agents.ts'
import { type DatastoreFields, isValidDatastore } from '../domain/datastores.ts'
import { isValidKey, type KeyFields, textOfKey } from '../domain/keys.ts'
import { isValidKnowledge, type StoredKnowledge } from '../domain/knowledge.ts'
import { StartupError, Unavailable } from '../errors/errors.ts'
import type { Log } from '../process/log.ts'
import {
  StoreFormat,
  checkTables,
  tablesOf,
  withoutKeys,
  type Database,
  Messages,
  messagesTable,
  type Records,
  RecordTable,
} from '../store/store.ts'
import type { IsValid } from '../store/types.ts'

type AllRecords = {
  agents: Records<AgentFields>
  knowledge: Records<StoredKnowledge>
  datastores: Records<DatastoreFields>
  keys: Records<KeyFields>
}

export type OpenTables = { storeFormat: StoreFormat; records: AllRecords; messages: Messages }

/** All tables but those of datastores. @throws StartupError where one that all need is damaged, or lost */
export async function openTables(
  database: Database,
  mayBeginKeys: boolean,
  log: Log,
): Promise<OpenTables> {
  const { hasData } = await tablesOf(database)
  await checkTables(database, mayBeginKeys, log)
  const storeFormat = await StoreFormat.open(database)
  const openOrClosed = <T>(table: 'agents' | 'knowledge', isValid: IsValid<T>) =>
    unlessDamaged(table, RecordTable.open(database, table, isValid), RecordTable.closed<T>, log)
  const agents = await openOrClosed('agents', isValidAgent)
  const knowledge = await openOrClosed('knowledge', isValidKnowledge)
  const messages = await unlessDamaged(messagesTable, Messages.open(database), Messages.closed, log)
  const datastores = await RecordTable.open(database, 'datastores', isValidDatastore)
  const keys = await RecordTable.open(database, 'keys', isValidKey, textOfKey)
  if (hasData && !mayBeginKeys && (await keys.isEmpty())) {
    throw new StartupError(withoutKeys(database))
  }
  return { storeFormat, records: { agents, knowledge, datastores, keys }, messages }
}

/** Lets documents be served even if a table is damaged that they do not need. */
async function unlessDamaged<T>(
  table: string,
  opened: Promise<T>,
  closed: (why: Error) => T,
  log: Log,
): Promise<T> {
  try {
    return await opened
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    log.error({ table }, `${error.message} Until then what needs it is answered 503.`)
    return closed(new Unavailable(`The ${table} cannot be read; the log of the server says why.`))
  }
}
