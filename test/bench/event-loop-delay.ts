import { join } from 'node:path'
import type { ServerProcess, SpawnOptions } from '../support/server-process.ts'
import { exchange } from './job-process.ts'

/** What a server is to be started with to be asked for it. */
export const watchingEventLoop: SpawnOptions = {
  nodeOptions: ['--import', join(import.meta.dirname, 'event-loop.ts')],
}

/** The p99 of the delay of a server's event loop since it was last asked, in milliseconds. */
export const eventLoopDelay = async ({ process: child }: ServerProcess): Promise<number> =>
  Number(await exchange(child, 'delay'))
