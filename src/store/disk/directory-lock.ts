import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartupError, StoreInUse } from '../../errors.ts'

/**
 * Makes this process the only one on a local directory, and returns what gives it back. An open
 * exclusive transaction of SQLite's is a lock of the kernel's, which goes with the process however
 * it ends; a file with a process id in it would outlive a crash and mean nothing in a container.
 * Nothing is ever written, so nothing can be torn.
 * @throws StoreInUse when another process has it
 */
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
