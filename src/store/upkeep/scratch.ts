import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdtemp, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { StartupError } from '../../errors.ts'

/**
 * Where LanceDB is to put passing files: in the directory of a local store, which can be written to and
 * has room, and where the next start removes what a kill left.
 */
export const scratchOf = (directory: string): string => join(directory, 'scratch')

/** Has LanceDB in this process, and what it starts, put passing files there; to be called before it is loaded. */
export function useScratch(dataUri: string, env: NodeJS.ProcessEnv): void {
  if (isAbsolute(dataUri)) env.TMPDIR = scratchOf(dataUri)
}

/** Makes that folder anew, once the directory is this process's own. */
export function renewScratch(directory: string): void {
  removeScratch(scratchOf(directory))
  mkdirSync(scratchOf(directory), { recursive: true })
}

/** A folder for the passing files of one process, which stays there when that is killed. */
export function makeScratch(dataUri: string): string {
  const parent = isAbsolute(dataUri) ? scratchOf(dataUri) : tmpdir()
  mkdirSync(parent, { recursive: true })
  return mkdtempSync(join(parent, 'job-'))
}

/** Removes one, also while a process that used it is ending. */
export function removeScratch(scratch: string): void {
  try {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // Files that nobody needs are no reason not to go on.
  }
}

/**
 * Makes sure that there is room for passing files where the store itself has none.
 * @throws StartupError
 */
export async function checkTemporary(): Promise<void> {
  try {
    await rmdir(await mkdtemp(join(tmpdir(), 'agents-datastores-')))
  } catch (cause) {
    const message = `TMPDIR ${tmpdir()} must be a directory that can be written to: LanceDB puts passing files there.`
    throw new StartupError(message, { cause })
  }
}
