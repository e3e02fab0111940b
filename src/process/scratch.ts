import { isAbsolute, join } from 'node:path'

/** LanceDB's passing files stay in the store's directory, where the next start removes what a kill left. */
export const scratchOf = (directory: string): string => join(directory, 'scratch')

/** Has LanceDB put passing files there; to be called before it is loaded. */
export function useScratch(dataUri: string, env: NodeJS.ProcessEnv): void {
  if (isAbsolute(dataUri)) env.TMPDIR = scratchOf(dataUri)
}
