import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

const directory = join(import.meta.dirname, '../../node_modules/.cache/agents-datastores')

/** Node.js keeps what it compiles for later starts, and for the processes that this one starts. */
export function useCompileCache(env: NodeJS.ProcessEnv): void {
  env.NODE_COMPILE_CACHE ||= directory
  enableCompileCache(env.NODE_COMPILE_CACHE)
}
