import '../needs-node.mjs'
import { run } from '../../cli/src/run.ts'
import { StartupError } from '../errors/errors.ts'
import { useCompileCache } from '../process/runtime-settings.ts'
import { loadEnvFile } from '../config/env-file.ts'

async function main(): Promise<void> {
  loadEnvFile(process.env)
  useCompileCache(process.env)
  const { commandLine } = await import('./command-line.ts')
  await commandLine(process.argv.slice(2), process.env)
}

await run(main, [StartupError])
