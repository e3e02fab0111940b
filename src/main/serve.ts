import { readConfig } from '../config.ts'
import type { FileSettings } from '../env-file.ts'
import { HttpServer } from '../http/server.ts'
import { createLog, type Log, readableLines } from '../log.ts'
import { openService, type Service } from '../service.ts'
import { doubtfulSettings } from '../doubtful-settings.ts'
import { useScratch } from '../store/upkeep/scratch.ts'
import type { StopSignals } from './stop-signals.ts'
import { welcome } from './welcome.ts'

/** Requests that run longer than this after the signal are cut off. */
const graceMilliseconds = 8_000

/**
 * Opens the service, listens, and stops when a signal comes.
 * @throws StartupError when a setting is wrong or the store cannot be used
 */
export async function serve(
  env: NodeJS.ProcessEnv,
  fromFile: FileSettings,
  signals: StopSignals,
): Promise<void> {
  const config = readConfig(env)
  const log = createLog(config.logLevel, process.stderr.isTTY ? await readableLines() : undefined)
  for (const doubt of doubtfulSettings(env, fromFile)) log.warn(doubt)
  useScratch(config.dataUri, env)
  const service = await openService(config, log)
  try {
    // Whoever comes in the moment in which the first key is made waits for it.
    const isOpen = Promise.withResolvers<void>()
    const server = new HttpServer(
      (...exchange) => void isOpen.promise.then(() => service.app(...exchange)),
      config.requestTimeout,
    )
    const url = await server.listen(config.port, config.host)
    signals.handle(() => void isOpen.promise.then(() => stop(server, service, log)))
    // Only now, for the key is told once, and a start that fails after it would lose it.
    const firstKey = await service.keys.ensureFirst(config.initialKey)
    console.log(welcome(url, firstKey))
    isOpen.resolve()
    await warnOfKey(service, config.initialKey, log)
    await service.checkProvider()
  } catch (error) {
    await service.close()
    throw error
  }
}

async function stop(server: HttpServer, service: Service, log: Log): Promise<void> {
  log.info('stopping')
  await server.stop(graceMilliseconds)
  await service.close()
  log.info('stopped')
  // A request that was cut off may still wait for somebody.
  process.exit(0)
}

async function warnOfKey({ keys }: Service, initialKey: string | undefined, log: Log) {
  if (initialKey === undefined || (await keys.isValid(initialKey))) return
  log.warn(
    'INITIAL_KEY has no effect: the store has keys already, and this one is not valid there. Use a key of the store, or make one: stop the server and run "npm run -s cli -- keys create".',
  )
}
