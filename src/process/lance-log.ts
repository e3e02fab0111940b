/** The scanner warns at every search without a score. */
export const lanceLog = { LANCEDB_LOG: 'warn,lance::dataset::scanner=error' }

export function quietLance(env: NodeJS.ProcessEnv): void {
  env.LANCEDB_LOG ||= lanceLog.LANCEDB_LOG
}
