import { flushCompileCache } from 'node:module'
import { readConfig } from '../config/config.ts'
import type { FileSettings } from '../config/env-file.ts'
import { exposureWarning, settingWarnings } from '../config/warnings.ts'
import { HttpServer } from '../http/server.ts'
import type { UnhandledErrors, StopSignals } from '../process/shutdown.ts'
import { createLog, type Log, readableLines } from '../process/log.ts'
import { useScratch } from '../process/scratch.ts'
import { openService, type Service } from './service.ts'

const stopGraceMilliseconds = 8_000

type Ends = { signals: StopSignals; unhandledErrors: UnhandledErrors }

/** Opens the service, listens, and stops at a signal or an unhandled error. @throws StartupError */
export async function serve(
  env: NodeJS.ProcessEnv,
  fromFile: FileSettings,
  { signals, unhandledErrors }: Ends,
): Promise<void> {
  const config = readConfig(env)
  const lines = process.stderr.isTTY ? await readableLines() : undefined
  const log = createLog(config.logLevel, lines, config.serverName)
  unhandledErrors.setLogger((err) =>
    log.fatal({ err }, 'the server ends, because of an unhandled error'),
  )
  const warnings = [...settingWarnings(env, fromFile), ...exposureWarning(config.host)]
  for (const warning of warnings) log.warn(warning)
  useScratch(config.dataUri, env)
  const service = await openService(config, log)
  service.metrics.collectProcess()
  try {
    // Requests wait while the first key is made.
    const isOpen = Promise.withResolvers<void>()
    const server = new HttpServer(
      (...exchange) => void isOpen.promise.then(() => service.app(...exchange)),
      config.requestTimeout,
    )
    const url = await server.listen(config.port, config.host)
    let stopping: Promise<void> | undefined
    const stopOnce = () => (stopping ??= isOpen.promise.then(() => stop(server, service, log)))
    // The work of requests that were cut off may still run.
    signals.setHandler(() => void stopOnce().then(() => process.exit()))
    unhandledErrors.setStop(stopOnce)
    // Last, because the key is shown only once, and a failing start would lose it.
    const firstKey = await service.keys.ensureFirst(config.initialKey)
    // A stop would take longer with it, and a kill would lose it.
    flushCompileCache()
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
  await server.stop(stopGraceMilliseconds)
  await service.close()
  log.info('stopped')
}

async function warnOfKey({ keys }: Service, initialKey: string | undefined, log: Log) {
  if (initialKey === undefined || (await keys.isValid(initialKey))) return
  log.warn(
    'INITIAL_KEY has no effect: the store has keys already, and this one is not valid there. Use a key of the store, or make one: stop the server and run "npm run -s cli -- keys create".',
  )
}

export function welcome(url: string, firstKey: string | undefined): string {
  const near = toCallable(url)
  const lines = [`Listening on ${url}`]
  if (firstKey) {
    lines.push(`Your key, shown only this once: ${firstKey}`)
    lines.push(`Make a datastore: ${firstCall(near, firstKey)}`)
  }
  lines.push(`Documentation: ${near}/docs`)
  if (firstKey) lines.push(`Try it in the browser: ${near}/playground#key=${firstKey}`)
  return lines.join('\n')
}

const firstCall = (url: string, key: string): string =>
  [
    `curl -s ${url}/datastores`,
    `-H 'Authorization: Bearer ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-d '{"name": "library"}'`,
  ].join(' ')

/** Clients cannot call the wildcard address. */
const toCallable = (url: string): string =>
  url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
