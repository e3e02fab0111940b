import { randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import { StoreInUse } from '../errors.ts'
import { HttpServer } from '../http/connections/server.ts'
import { createLog } from '../process/log.ts'
import { openService } from '../service.ts'
import { CommandFailed } from './arguments.ts'
import { connectTo, type KeyClient } from './key-client.ts'

/**
 * Runs a server for one command, with a key that only this process has.
 * @throws CommandFailed when a server has the store, StartupError when it cannot be used
 */
export async function openOffline(config: Config): Promise<KeyClient> {
  const operatorKey = randomBytes(32).toString('hex')
  const service = await openService({ ...config, operatorKey }, createLog('silent')).catch(inUse)
  const server = new HttpServer(service.app, config.requestTimeout)
  const url = await server.listen(0, '127.0.0.1')
  return {
    ...connectTo(url, operatorKey),
    close: async () => {
      await server.stop(0)
      await service.close()
    },
  }
}

/** A server that listens where these settings say would have been found. */
function inUse(error: unknown): never {
  if (!(error instanceof StoreInUse)) throw error
  throw new CommandFailed(
    `Another server is running on ${error.directory}: set SERVICE_URL to its address and API_KEY to a key of it.`,
  )
}
