import './needs-node.mjs'
import { loadEnvFile } from './config/env-file.ts'
import { StartupError } from './errors/errors.ts'
import {
  useCompileCache,
  keepFilesPrivate,
  quietLance,
  restartWithMemoryBounds,
  tuneGarbageCollection,
} from './process/runtime-settings.ts'
import { UnhandledErrors, StopSignals } from './process/shutdown.ts'

/** The server process. Little is imported above, so that signals are heard early. */
async function main(): Promise<void> {
  keepFilesPrivate()
  const fromFile = loadEnvFile(process.env)
  quietLance(process.env)
  useCompileCache(process.env)
  restartWithMemoryBounds(process.env)
  const signals = new StopSignals()
  const unhandledErrors = new UnhandledErrors()
  tuneGarbageCollection()
  const { serve } = await import('./service/serve.ts')
  await serve(process.env, fromFile, { signals, unhandledErrors })
}

try {
  await main()
} catch (error) {
  console.error(error instanceof StartupError ? error.message : error)
  process.exit(1)
}
