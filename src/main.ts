import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readConfig } from './config.ts'
import { StartupError } from './errors.ts'
import { createLog } from './log.ts'
import { openService } from './service.ts'

/** The server process: reads the settings, opens the service, listens, and stops when told to. */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const service = await openService(config, (err, requestId) => log.error({ err, requestId }))
  const server = createServer(service.app).listen(config.port, config.host)
  await once(server, 'listening')
  const { address, port, family } = server.address() as AddressInfo
  console.log(`Listening on http://${family === 'IPv6' ? `[${address}]` : address}:${port}`)
  if (service.firstKey) console.log(`Your key, shown only this once: ${service.firstKey}`)

  const stop = () => {
    server.close(() => void service.close())
    server.closeIdleConnections()
  }
  process.once('SIGTERM', stop).once('SIGINT', stop)
}

try {
  await main()
} catch (error) {
  console.error(error instanceof StartupError ? error.message : error)
  process.exitCode = 1
}
