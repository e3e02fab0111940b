import type { Command } from 'commander'
import { CommandFailed } from '../../client/src/cli/failures.ts'
import { openSession, type Session } from '../../client/src/cli/session.ts'
import { settingsOf } from '../../client/src/cli/settings.ts'
import { AgentsDatastores, ConnectionError, TimeoutError } from '../../client/src/index.ts'
import type { Config } from '../config.ts'

/** A session with the server, or with the store where none runs and none is named. @throws CommandFailed */
export async function openKeys(
  command: Command,
  isServiceNamed: boolean,
  readStoreConfig: () => Config,
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
  return { ...(await openOffline(readStoreConfig())), isJson, signal }
}

/** Asked without the key, which another service must not see. @throws CommandFailed where it is another */
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
