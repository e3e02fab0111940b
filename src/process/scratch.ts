import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdtemp, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { StartupError } from '../errors/errors.ts'

/** LanceDB's temporary files are in the store's directory. The next start removes those of a killed process. */
export const scratchOf = (directory: string): string => join(directory, 'scratch')

/** Directs LanceDB's temporary files there. Call before LanceDB is loaded. */
export function useScratch(dataUri: string, env: NodeJS.ProcessEnv): void {
  if (isAbsolute(dataUri)) env.TMPDIR = scratchOf(dataUri)
}

export function renewScratch(directory: string): void {
  removeScratch(scratchOf(directory))
  mkdirSync(scratchOf(directory), { recursive: true })
}

export function makeScratch(dataUri: string): string {
  const parent = isAbsolute(dataUri) ? scratchOf(dataUri) : tmpdir()
  mkdirSync(parent, { recursive: true })
  return mkdtempSync(join(parent, 'job-'))
}

/** Works even while a process that uses the folder is ending. */
export function removeScratch(scratch: string): void {
  try {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // The next start removes the rest.
  }
}

/** Checks that an object store's temporary files have a place. @throws StartupError */
export async function checkTemporary(): Promise<void> {
  try {
    await rmdir(await mkdtemp(join(tmpdir(), 'agents-datastores-')))
  } catch (cause) {
    const message = `TMPDIR ${tmpdir()} must be a directory that can be written to: LanceDB puts temporary files there.`
    throw new StartupError(message, { cause })
  }
}
