import packageJson from '../../package.json' with { type: 'json' }
import { exitCodes } from '../../client/src/cli/exit-codes.ts'
import { print } from '../../client/src/cli/output/print.ts'
import { makeProgram } from '../../client/src/cli/program.ts'
import { run } from '../../client/src/cli/run.ts'
import { type Config, readClientConfig, readConfig } from '../config.ts'
import { StartupError } from '../errors.ts'
import { keepFilesPrivate } from '../process/private-files.ts'
import { loadEnvFile } from '../settings/env-file.ts'
import { useScratch } from '../store/upkeep/scratch.ts'
import { openKeys } from './key-session.ts'
import { addStore, type StoreCommand } from './store-command.ts'

async function main(): Promise<void> {
  loadEnvFile(process.env)
  const { serviceUrl: url, isServiceNamed } = readClientConfig(process.env)
  const program = makeProgram({
    version: packageJson.version,
    url,
    openKeys: (command) => openKeys(command, isServiceNamed, readStoreConfig),
  })
  addStore(program, runOnStore)
  program.command('version', { hidden: true }).action(() => print(packageJson.version))
  await program.parseAsync(process.argv)
}

// The store takes a while to load, so it is loaded only where it is needed.
async function runOnStore(command: StoreCommand): Promise<void> {
  const { runStoreCommand } = await import('./store-commands.ts')
  const { text, isWhole } = await runStoreCommand(command, readStoreConfig())
  await print(text)
  if (!isWhole) process.exitCode = exitCodes.failed
}

/** LanceDB's temporary files go into the store's own directory, as they do for the server. */
function readStoreConfig(): Config {
  const config = readConfig(process.env)
  keepFilesPrivate()
  useScratch(config.dataUri, process.env)
  return config
}

await run(main, [StartupError])
