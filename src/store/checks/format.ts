import { StartupError } from '../../errors.ts'
import type { Database } from '../database.ts'
import { Records } from '../records/records.ts'
import { tablesOf, withoutFormat } from './start-checks.ts'

/** Grows when what is stored changes its form. */
const format = 3

/** Marks a new store with the format of this version. @throws StartupError where it has another */
export async function checkFormat(database: Database): Promise<void> {
  const { isOld } = await tablesOf(database)
  const records = await Records.open<{ format: number }>(database, 'store', isFormat)
  const found = await records.get('format')
  if (!found && isOld) throw new StartupError(withoutFormat(database))
  const stored = found ?? (await mark(records))
  if (stored?.value.format !== format) {
    throw new StartupError(
      `The store has format ${stored?.value.format}, and this version reads format ${format}. ` +
        'Start the version that made it, or give this one an empty DATA_URI.',
    )
  }
}

export async function restoreFormat(database: Database): Promise<void> {
  await mark(await Records.open<{ format: number }>(database, 'store', isFormat))
}

export const isFormat = ({ format: stored }: { format: number }): boolean =>
  Number.isInteger(stored)

/** Several servers may start on a new store at once: the mark of the first stands. */
async function mark(records: Records<{ format: number }>) {
  await records.insert('format', 'service', { format })
  return records.get('format')
}
