import { randomBytes } from 'node:crypto'
import { CommandFailed } from '../../cli/src/failures.ts'
import type { Session } from '../../cli/src/session.ts'
import { AgentsDatastores } from '../../client/src/index.ts'
import type { Config } from '../config/config.ts'
import { StoreInUse } from '../errors/errors.ts'
import { HttpServer } from '../http/server.ts'
import { createLog } from '../process/log.ts'
import { openService } from '../service/service.ts'

/** A server for one command, whose key only this process has. @throws CommandFailed, StartupError */
export async function openOffline(config: Config): Promise<Pick<Session, 'client' | 'close'>> {
  const operatorKey = randomBytes(32).toString('hex')
  const service = await openService({ ...config, operatorKey }, createLog('silent')).catch(inUse)
  const server = new HttpServer(service.app, config.requestTimeout)
  const baseUrl = await server.listen(0, '127.0.0.1')
  return {
    client: new AgentsDatastores({ baseUrl, apiKey: operatorKey }),
    close: async () => {
      await server.stop(0)
      await service.close()
    },
  }
}

/** The other server listens elsewhere than these settings say, where none was found. */
function inUse(error: unknown): never {
  if (!(error instanceof StoreInUse)) throw error
  throw new CommandFailed(
    `Another server is running on ${error.directory}: set SERVICE_URL to its address and API_KEY to a key of it.`,
  )
}
