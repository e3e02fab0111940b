import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartupError, StoreInUse } from '../../errors.ts'

/** Takes SQLite's lock, which ends with the process, and returns its release. @throws StoreInUse */
export function lockDirectory(directory: string): () => void {
  const file = join(directory, 'owner.lock')
  const lock = new DatabaseSync(file)
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    if (!/locked|busy/i.test(String(cause))) {
      throw new StartupError(`${file} cannot be locked. It holds nothing: remove it.`, { cause })
    }
    throw new StoreInUse(directory, cause)
  }
  return () => lock.close()
}
