import { StartupError, Unavailable } from '../errors.ts'
import type { Log } from '../process/log.ts'
import type { Database } from '../store/database.ts'
import { Messages, messagesTable } from '../store/messages/messages.ts'
import type { IsWhole } from '../store/records/record-check.ts'
import { Records } from '../store/records/records.ts'

/** Where these are damaged, documents are served all the same. */
export function openRecords<T>(
  database: Database,
  table: 'agents' | 'knowledge',
  isWhole: IsWhole<T>,
  log: Log,
): Promise<Records<T>> {
  const open = () => Records.open(database, table, isWhole)
  return openUnlessDamaged(table, open, (why) => Records.closed<T>(why), log)
}

export const openMessages = (database: Database, log: Log): Promise<Messages> =>
  openUnlessDamaged(
    messagesTable,
    () => Messages.open(database),
    (why) => Messages.closed(why),
    log,
  )

async function openUnlessDamaged<T>(
  table: string,
  open: () => Promise<T>,
  closed: (why: Error) => T,
  log: Log,
): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    log.error({ table }, `${error.message} Until then what needs it is answered 503.`)
    return closed(new Unavailable(`The ${table} cannot be read; the log of the server says why.`))
  }
}
