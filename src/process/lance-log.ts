/**
 * What LanceDB logs where nothing else is set: warnings, but of what carries out searches none, for that
 * has one of each search that leaves out what it measured.
 */
export const lanceLog = { LANCEDB_LOG: 'warn,lance::dataset::scanner=error' }

/**
 * Sets it where it is not set, to be called before LanceDB is loaded. Such a search takes a tenth less
 * of the processors; a line for each would be all that is in the log.
 */
export function quietLance(env: NodeJS.ProcessEnv): void {
  env.LANCEDB_LOG ||= lanceLog.LANCEDB_LOG
}
