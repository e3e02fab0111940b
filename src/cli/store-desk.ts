import { randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import { StoreInUse } from '../errors.ts'
import { HttpServer } from '../http/server.ts'
import { createLog } from '../log.ts'
import { openService } from '../service.ts'
import { CommandFailed, type KeyDesk } from './key-desk.ts'
import { connectTo } from './server-desk.ts'

/**
 * Keys by way of the store itself, which is for whoever may use the machine: for as long as the
 * command takes, a server runs that only this process has the key of.
 * @throws CommandFailed when a server has the store, StartupError when it cannot be used
 */
export async function openStore(config: Config): Promise<KeyDesk> {
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

/** The server is not where these settings would have it, or it would have been asked. */
function inUse(error: unknown): never {
  if (!(error instanceof StoreInUse)) throw error
  throw new CommandFailed(
    `Another server is running on ${error.directory}: set SERVICE_URL to its address and API_KEY to a key of it.`,
  )
}
