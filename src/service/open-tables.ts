import { type AgentFields, isAgent } from '../domain/agents.ts'
import { type DatastoreFields, isDatastore } from '../domain/datastores.ts'
import { isKey, type KeyFields } from '../domain/keys.ts'
import { isKnowledge, type KnowledgeFields } from '../domain/knowledge.ts'
import { StartupError } from '../errors.ts'
import type { Log } from '../process/log.ts'
import { FormatMark } from '../store/checks/format.ts'
import { checkTables, tablesOf, withoutKeys } from '../store/checks/start-checks.ts'
import type { Database } from '../store/database.ts'
import type { Messages } from '../store/messages/messages.ts'
import { Records } from '../store/records/records.ts'
import { openMessages, openRecords } from './damageable-tables.ts'

export type AllRecords = {
  agents: Records<AgentFields>
  knowledge: Records<KnowledgeFields>
  datastores: Records<DatastoreFields>
  keys: Records<KeyFields>
}

type Tables = { mark: FormatMark; records: AllRecords; messages: Messages }

/**
 * Opens all tables but those of datastores; where there are no keys they may begin anew.
 * @throws StartupError where a table that all need is damaged, or lost
 */
export async function openTables(
  database: Database,
  mayBeginKeys: boolean,
  log: Log,
): Promise<Tables> {
  const { hasData } = await tablesOf(database)
  await checkTables(database, mayBeginKeys, log)
  const mark = await FormatMark.open(database)
  const agents = await openRecords(database, 'agents', isAgent, log)
  const knowledge = await openRecords(database, 'knowledge', isKnowledge, log)
  const messages = await openMessages(database, log)
  const datastores = await Records.open(database, 'datastores', isDatastore)
  const keys = await Records.open(database, 'keys', isKey)
  if (hasData && !mayBeginKeys && (await keys.isEmpty())) {
    throw new StartupError(withoutKeys(database))
  }
  return { mark, records: { agents, knowledge, datastores, keys }, messages }
}
