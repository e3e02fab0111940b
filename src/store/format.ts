import { StartupError } from '../errors.ts'
import type { Database } from './database.ts'
import { Records } from './records.ts'

/** Grows when what is stored changes its form. */
const format = 3

/**
 * Marks a new store with the format of this version, and refuses a store of another.
 * @throws StartupError saying the way out
 */
export async function checkFormat(database: Database): Promise<void> {
  const records = await Records.open<{ format: number }>(database, 'store')
  const found = await records.get('format')
  const stored = found ?? (await mark(records))
  if (stored?.value.format !== format) {
    throw new StartupError(
      `The store has format ${stored?.value.format}, and this version reads format ${format}. ` +
        'Start the version that made it, or give this one an empty DATA_URI.',
    )
  }
}

/** Several servers may start on a new store at once: the mark of the first stands. */
async function mark(records: Records<{ format: number }>) {
  await records.insert('format', 'service', { format })
  return records.get('format')
}
