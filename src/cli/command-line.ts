import packageJson from '../../package.json' with { type: 'json' }
import { exitCodes } from '../../client/src/cli/exit-codes.ts'
import { print } from '../../client/src/cli/output/print.ts'
import { makeProgram } from '../../client/src/cli/program.ts'
import { type Config, readClientConfig, readConfig } from '../config.ts'
import { keepFilesPrivate } from '../process/private-files.ts'
import { useScratch } from '../store/upkeep/scratch.ts'
import { openKeys } from './key-session.ts'
import { addStore, type StoreCommand } from './store-command.ts'

/** Carries out these words of a command line. @throws what `run` of the client tells, StartupError */
export async function commandLine(words: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { serviceUrl: url, isServiceNamed } = readClientConfig(env)
  const program = makeProgram({
    version: packageJson.version,
    url,
    openKeys: (command) => openKeys(command, isServiceNamed, () => readStoreConfig(env)),
  })
  addStore(program, (command) => runOnStore(command, env))
  program.command('version', { hidden: true }).action(() => print(packageJson.version))
  await program.parseAsync(words, { from: 'user' })
}

// The store takes a while to load, so it is loaded only where it is needed.
async function runOnStore(command: StoreCommand, env: NodeJS.ProcessEnv): Promise<void> {
  const { runStoreCommand } = await import('./store-commands.ts')
  const { text, isWhole } = await runStoreCommand(command, readStoreConfig(env))
  await print(text)
  if (!isWhole) process.exitCode = exitCodes.failed
}

/** LanceDB's temporary files go into the store's own directory, as they do for the server. */
function readStoreConfig(env: NodeJS.ProcessEnv): Config {
  const config = readConfig(env)
  keepFilesPrivate()
  useScratch(config.dataUri, env)
  return config
}
