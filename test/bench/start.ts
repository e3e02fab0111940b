import { join } from 'node:path'
import { type ServerProcess, spawnServer, type SpawnOptions } from '../support/server-process.ts'
import { JobProcess } from './job-process.ts'
import type { Started } from './started.ts'

/** The service with its data in this directory, until what was started is stopped. */
export async function startServer(
  started: Started,
  directory: string,
  key: string,
  options?: SpawnOptions,
): Promise<ServerProcess> {
  const settings = { DATA_URI: directory, INITIAL_KEY: key, LOG_LEVEL: 'warn' }
  const server = await spawnServer(settings, options)
  await started.add(() => server.kill('SIGTERM'))
  return server
}

/**
 * A process that does jobs, from a file of this folder, until what was started is stopped.
 * @param priority as in `os.setPriority`
 */
export async function startJobs(
  started: Started,
  file: string,
  priority?: number,
): Promise<JobProcess> {
  const jobs = new JobProcess(join(import.meta.dirname, file), priority)
  await started.add(jobs.stop)
  return jobs
}
