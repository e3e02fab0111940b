import type { CreatedKey, Key } from '../generated/types.gen.ts'
import packageJson from '../package.json' with { type: 'json' }
import {
  type Command,
  readCommand,
  usage,
  UsageError,
  wantsHelp,
  wantsVersion,
} from './cli/arguments.ts'
import { CommandFailed, type KeyDesk } from './cli/key-desk.ts'
import { findServer } from './cli/server-desk.ts'
import { type Config, readClientConfig, readConfig } from './config.ts'
import { loadEnvFile } from './env-file.ts'
import { StartupError } from './errors.ts'
import { useScratch } from './store/upkeep/scratch.ts'

/** The command line. Exits 0 when done, 1 when it failed, 2 when it was not understood. */
async function main(args: string[]): Promise<void> {
  if (wantsHelp(args)) return console.log(usage)
  if (wantsVersion(args)) return console.log(packageJson.version)
  loadEnvFile(process.env)
  if (args[0] === 'store') return runOnStore(args.slice(1))
  const command = readCommand(args)
  const server = await findServer(readClientConfig(process.env))
  const desk = server ?? (await openStore())
  try {
    console.log(await run(command, desk))
  } finally {
    await desk.close()
  }
}

async function runOnStore(args: string[]): Promise<void> {
  const { runStoreCommand } = await import('./cli/store-commands.ts')
  const { text, isWhole } = await runStoreCommand(args, readStoreConfig())
  console.log(text)
  if (!isWhole) process.exitCode = 1
}

/** The service is only loaded where there is no server to speak to, for it takes a while. */
async function openStore(): Promise<KeyDesk> {
  const config = readStoreConfig()
  const { openStore: open } = await import('./cli/store-desk.ts')
  return open(config)
}

/** As the server does, LanceDB is to put passing files in the store's own directory. */
function readStoreConfig(): Config {
  const config = readConfig(process.env)
  useScratch(config.dataUri, process.env)
  return config
}

async function run(command: Command, desk: KeyDesk): Promise<string> {
  const print = command.json ? (value: unknown) => JSON.stringify(value) : toText
  if (command.name === 'create') return print(await desk.create(command.key))
  if (command.name === 'revoke') return print(await desk.revoke(command.id))
  return print(await desk.list())
}

function toText(result: Key | CreatedKey | Key[]): string {
  if (Array.isArray(result)) return result.map(toLine).join('\n')
  const line = toLine(result)
  return 'key' in result ? `${line}\nThe key, shown only this once: ${result.key}` : line
}

function toLine({ id, workspace, name, scopes, expiresAt, lastUsedAt, revokedAt }: Key): string {
  const state = revokedAt ? `revoked ${revokedAt}` : expiresAt ? `expires ${expiresAt}` : 'valid'
  const used = lastUsedAt ? `used ${lastUsedAt}` : 'never used'
  return [id, workspace, JSON.stringify(name), scopes.join(','), state, used].join('  ')
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${usage}`)
    process.exitCode = 2
  } else if (error instanceof CommandFailed || error instanceof StartupError) {
    console.error(error.message)
    process.exitCode = 1
  } else {
    throw error
  }
}
