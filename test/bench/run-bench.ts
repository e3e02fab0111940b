import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Started } from './started.ts'

export type Bench = (data: string, started: Started) => Promise<void>

/**
 * Runs a bench with a directory of its own, and leaves neither that nor what it started behind: not
 * when it fails, and not when it is interrupted.
 */
export async function runBench(name: string, bench: Bench): Promise<void> {
  const started = new Started()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => void started.stop())
  let failure: unknown
  // Such as output that nobody reads any more: no server is to be left behind by it.
  process.once('uncaughtException', (error) => {
    failure = error
    void started.stop()
  })
  const data = await mkdtemp(join(tmpdir(), `${name}-`))
  try {
    await bench(data, started)
  } catch (error) {
    if (started.isStopping) process.exitCode = 130
    else failure = error
  } finally {
    await started.stop()
    await rm(data, { recursive: true, force: true, maxRetries: 5 })
  }
  if (failure !== undefined) {
    console.error(failure)
    process.exitCode = 1
  }
}
