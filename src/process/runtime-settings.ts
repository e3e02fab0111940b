import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

const directory = join(import.meta.dirname, '../../node_modules/.cache/agents-datastores')

/** Node.js keeps what it compiles for later starts, and for the processes that this one starts. */
export function useCompileCache(env: NodeJS.ProcessEnv): void {
  env.NODE_COMPILE_CACHE ||= directory
  enableCompileCache(env.NODE_COMPILE_CACHE)
}

/** Files and directories made from now on are for this user alone; processes that are started inherit it. */
export function keepFilesPrivate(): void {
  process.umask(0o077)
}

/** The scanner warns at every search without a score. */
export const lanceLog = { LANCEDB_LOG: 'warn,lance::dataset::scanner=error' }

export function quietLance(env: NodeJS.ProcessEnv): void {
  env.LANCEDB_LOG ||= lanceLog.LANCEDB_LOG
}

/** glibc, LanceDB and Node.js read these as they begin; docs/measurements.md has their effects. */
export const memoryBounds = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(128 * 1024),
  LANCE_DEFAULT_IO_BUFFER_SIZE: String(32 * 1024 * 1024),
  NODE_OPTIONS: '--max-semi-space-size=16',
}

/** Make V8 13.6 collect when all memory has grown by a share, and not at every 50 MB outside its heap. */
const collectionFlags = ['--external-memory-accounted-in-global-limit', '--heap-growing-percent=70']
const knownTo = /^13\.6\./

export function tuneGarbageCollection(): void {
  if (knownTo.test(process.versions.v8)) collectionFlags.forEach(setFlagsFromString)
}

/** Starts this process again, because glibc reads the bounds only at its start. */
export function restartWithMemoryBounds(env: NodeJS.ProcessEnv): void {
  const missing = Object.entries(memoryBounds).filter(([name]) => !env[name])
  if (missing.length === 0) return
  Object.assign(env, Object.fromEntries(missing))
  if (process.platform !== 'linux' || process.connected) return
  const { execPath, execArgv, argv } = process
  try {
    process.execve!(execPath, [execPath, ...execArgv, ...argv.slice(1)], env)
  } catch {
    // Node's permissions may forbid it.
  }
}
