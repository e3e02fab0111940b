import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for what LanceDB puts among temporary files, which stays there when its process is killed. */
export const makeScratch = (): string => mkdtempSync(join(tmpdir(), 'chores-'))

/** Removes it, also while a process that used it is ending. */
export function removeScratch(scratch: string): void {
  try {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // Files that nobody needs are no reason not to go on.
  }
}
