import type { Command } from 'commander'
import { exitCodes } from '../../cli/src/exit-codes.ts'
import { CommandFailed } from '../../cli/src/failures.ts'
import { print } from '../../cli/src/output/print.ts'
import { runProgram, makeProgram } from '../../cli/src/program.ts'
import { openSession, type Session } from '../../cli/src/session.ts'
import { settingsOf } from '../../cli/src/settings.ts'
import { AgentsDatastores, ConnectionError, TimeoutError } from '../../client/src/index.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { readClientConfig } from '../config/client-config.ts'
import { type Config, readConfig } from '../config/config.ts'
import { keepFilesPrivate } from '../process/runtime-settings.ts'
import { useScratch } from '../process/scratch.ts'
import { addStore, type StoreCommand } from './store-command.ts'

/** Runs a command line. @throws what `run` of `cli/` reports, StartupError */
export async function commandLine(words: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { serviceUrl: url, isServiceNamed } = readClientConfig(env)
  const program = makeProgram({
    version: packageJson.version,
    url,
    openKeys: (command) => openKeysSession(command, isServiceNamed, () => readStoreConfig(env)),
  })
  addStore(program, (command) => runOnStore(command, env))
  await runProgram(program, words)
}

// The store takes a while to load, so it is loaded only where it is needed.
async function runOnStore(command: StoreCommand, env: NodeJS.ProcessEnv): Promise<void> {
  const { runStoreCommand } = await import('./run-store-command.ts')
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

/** A session with the server, or with the store if no server runs or is named. @throws CommandFailed */
async function openKeysSession(
  command: Command,
  isServiceNamed: boolean,
  readConfigOfStore: () => Config,
): Promise<Session> {
  const { url, key, isJson } = settingsOf(command)
  if (await isServerAt(url)) {
    if (key === undefined) throw new CommandFailed('A server runs: set API_KEY to a key of it.')
    return openSession(command)
  }
  if (isServiceNamed || command.parent?.parent?.getOptionValueSource('url') === 'cli') {
    throw new CommandFailed(`No server answers at ${url}.`)
  }
  const { openOffline } = await import('./offline-client.ts')
  const { signal } = new AbortController()
  return { ...(await openOffline(readConfigOfStore())), isJson, signal }
}

/** Asks without the key, which another service must not see. @throws CommandFailed if it is another service */
async function isServerAt(url: string): Promise<boolean> {
  try {
    const client = new AgentsDatastores({ baseUrl: url, maxRetries: 0, timeout: 30_000 })
    const { data, response } = await client.getLiveness().withResponse()
    if (data.status === 'ok' && response.headers.get('x-request-id')?.startsWith('req_'))
      return true
  } catch (error) {
    if (error instanceof ConnectionError && !(error instanceof TimeoutError)) return false
  }
  throw new CommandFailed(`What answers at ${url} is another service.`)
}
