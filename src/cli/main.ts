import packageJson from '../../package.json' with { type: 'json' }
import { CommandFailed, usage, UsageError } from './arguments.ts'
import { findServer, type KeyClient } from './key-client.ts'
import { runKeyCommand } from './key-commands.ts'
import { type Config, readClientConfig, readConfig } from '../config.ts'
import { loadEnvFile } from '../settings/env-file.ts'
import { StartupError } from '../errors.ts'
import { useScratch } from '../store/upkeep/scratch.ts'

/** Exits 0 when done, 1 when the command failed, 2 when it was not understood. */
async function main(args: string[]): Promise<void> {
  const [first = ''] = args
  if (first === 'help' || args.includes('--help') || args.includes('-h')) return console.log(usage)
  if (['version', '--version', '-v'].includes(first)) return console.log(packageJson.version)
  loadEnvFile(process.env)
  if (first === 'store') return runOnStore(args.slice(1))
  console.log(await runKeyCommand(args, openKeys))
}

// The store and the service take a while to load, so they are loaded only where they are needed.

async function runOnStore(args: string[]): Promise<void> {
  const { runStoreCommand } = await import('./store-commands.ts')
  const { text, isWhole } = await runStoreCommand(args, readStoreConfig())
  console.log(text)
  if (!isWhole) process.exitCode = 1
}

async function openKeys(): Promise<KeyClient> {
  const server = await findServer(readClientConfig(process.env))
  if (server) return server
  const config = readStoreConfig()
  const { openOffline } = await import('./offline-key-client.ts')
  return openOffline(config)
}

/** LanceDB's temporary files go into the store's own directory, as they do for the server. */
function readStoreConfig(): Config {
  const config = readConfig(process.env)
  useScratch(config.dataUri, process.env)
  return config
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
