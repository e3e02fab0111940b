import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartupError, StoreInUse } from '../../errors.ts'

// A lock of SQLite's is the kernel's and ends with the process; a file with a process id outlives a crash.

/** Makes this process the only one on a directory, and returns what gives it back. @throws StoreInUse */
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
