import { isAbsolute } from 'node:path'
import { readConfig } from './config.ts'
import { StartupError } from './errors.ts'
import { HttpServer } from './http/server.ts'
import { quietLance } from './lance-log.ts'
import { createLog } from './log.ts'
import { boundMemory, collectSeldom } from './memory.ts'
import { scratchOf } from './store/scratch.ts'

/** Requests that run longer than this after the signal are cut off. */
const graceMilliseconds = 8_000

/** The server process: reads the settings, opens the service, listens, and stops when told to. */
async function main(): Promise<void> {
  quietLance(process.env)
  boundMemory(process.env)
  collectSeldom()
  // Only now, for it takes a while to load.
  const { openService } = await import('./service.ts')
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  if (isAbsolute(config.dataUri)) process.env.TMPDIR = scratchOf(config.dataUri)
  const service = await openService(config, log)
  // Whoever comes in the moment in which the first key is made waits for it.
  const isOpen = Promise.withResolvers<void>()
  const app: typeof service.app = (...exchange) => {
    void isOpen.promise.then(() => service.app(...exchange))
  }
  const server = new HttpServer(app, config.requestTimeout)
  const stop = async () => {
    process.once('SIGTERM', () => process.exit(1)).once('SIGINT', () => process.exit(1))
    log.info('stopping')
    await server.stop(graceMilliseconds)
    await service.close()
    log.info('stopped')
    // A request that was cut off may still wait for somebody.
    process.exit(0)
  }
  try {
    const url = await server.listen(config.port, config.host)
    // Only now, for the key is told once, and a start that fails after it would lose it.
    const firstKey = await service.keys.ensureFirst(config.initialKey)
    isOpen.resolve()
    process.once('SIGTERM', () => void stop()).once('SIGINT', () => void stop())
    console.log(`Listening on ${url}`)
    if (firstKey) console.log(`Your key, shown only this once: ${firstKey}`)
  } catch (error) {
    await service.close()
    throw error
  }
}

try {
  await main()
} catch (error) {
  console.error(error instanceof StartupError ? error.message : error)
  process.exit(1)
}
