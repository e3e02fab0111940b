import './needs-node.mjs'
import { loadEnvFile } from './config/env-file.ts'
import { StartupError } from './errors/errors.ts'
import { useCompileCache } from './process/compile-cache.ts'
import { quietLance } from './process/lance-log.ts'
import { keepFilesPrivate } from './process/private-files.ts'
import { UnhandledErrors } from './main/unhandled-errors.ts'
import { StopSignals } from './main/stop-signals.ts'
import { restartWithMemoryBounds, tuneGarbageCollection } from './process/memory.ts'

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
  const { serve } = await import('./main/serve.ts')
  await serve(process.env, fromFile, { signals, unhandledErrors })
}

try {
  await main()
} catch (error) {
  console.error(error instanceof StartupError ? error.message : error)
  process.exit(1)
}
