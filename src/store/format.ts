import { StartupError } from '../errors.ts'
import type { Database } from './database.ts'
import { Records } from './records.ts'

/** Grows when what is stored changes its form. */
const format = 2

/**
 * Marks a new store with the format of this version, and refuses a store of another.
 * @throws StartupError saying the way out
 */
export async function checkFormat(database: Database): Promise<void> {
  const records = await Records.open<{ format: number }>(database, 'store')
  await records.insert('format', 'service', { format })
  const stored = await records.get('format')
  if (stored?.value.format !== format) {
    throw new StartupError(
      `The store has format ${stored?.value.format}, and this version reads format ${format}. ` +
        'Start the version that made it, or give this one an empty DATA_URI.',
    )
  }
}
