import { randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import { HttpServer } from '../http/server.ts'
import { createLog } from '../log.ts'
import { openService } from '../service.ts'
import type { KeyDesk } from './key-desk.ts'
import { connectTo } from './server-desk.ts'

/**
 * Keys by way of the store itself, which is for whoever may use the machine: for as long as the
 * command takes, a server runs that only this process has the key of.
 * @throws StartupError when a server has the store
 */
export async function openStore(config: Config): Promise<KeyDesk> {
  const operatorKey = randomBytes(32).toString('hex')
  const service = await openService({ ...config, operatorKey }, createLog('silent'))
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
