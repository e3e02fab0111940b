import { isAbsolute, join } from 'node:path'

/** LanceDB's temporary files are in the store's directory. The next start removes those of a killed process. */
export const scratchOf = (directory: string): string => join(directory, 'scratch')

/** Directs LanceDB's temporary files there. Call before LanceDB is loaded. */
export function useScratch(dataUri: string, env: NodeJS.ProcessEnv): void {
  if (isAbsolute(dataUri)) env.TMPDIR = scratchOf(dataUri)
}
