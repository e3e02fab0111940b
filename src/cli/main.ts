import { run } from '../../client/src/cli/run.ts'
import { StartupError } from '../errors.ts'
import { loadEnvFile } from '../settings/env-file.ts'
import { commandLine } from './command-line.ts'

async function main(): Promise<void> {
  loadEnvFile(process.env)
  await commandLine(process.argv.slice(2), process.env)
}

await run(main, [StartupError])
