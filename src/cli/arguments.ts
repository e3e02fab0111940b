import { parseArgs } from 'node:util'
import { type CreateKey, Scope } from '../../generated/types.gen.ts'

export const usage = `Usage:
  keys create --name NAME --scopes SCOPE,... [--workspace NAME] [--expires TIME] [--json]
  keys list [--json]
  keys revoke ID [--json]
  store check
  store restore-datastore ID [--name NAME] [--workspace NAME] [--embedding-model NAME]
  store restore-format
  help
  --version

Scopes: ${Object.values(Scope).join(' ')}
TIME is an instant like 2027-01-31T00:00:00Z.

Speaks to the server at SERVICE_URL (default: the one these settings start) with API_KEY. Where no
server runs, and SERVICE_URL names none, it opens the store at DATA_URI itself. "store" always does, so
that no server may run on it: check reads it whole and exits 1 where something is wrong; restore-datastore
makes a datastore of documents that none names; restore-format marks a store that lost its format.
`

export const wantsHelp = (args: string[]): boolean =>
  args[0] === 'help' || args.includes('--help') || args.includes('-h')

export const wantsVersion = (args: string[]): boolean =>
  args[0] === 'version' || args[0] === '--version' || args[0] === '-v'

/** When the words of the command line make no command. */
export class UsageError extends Error {}

export type Command = { json: boolean } & (
  | { name: 'create'; key: CreateKey }
  | { name: 'list' }
  | { name: 'revoke'; id: string }
)

/** @throws UsageError saying what is wrong */
export function readCommand(args: string[]): Command {
  const { values, positionals } = parse(args)
  const { json = false, name, scopes, workspace, expires } = values
  const [noun, verb, id, ...rest] = positionals
  if (noun !== 'keys' || rest.length > 0) throw new UsageError('Say "keys" and what to do.')
  if (verb === 'list' && !id) return { name: 'list', json }
  if (verb === 'revoke' && id) return { name: 'revoke', id, json }
  if (verb === 'create' && !id) {
    if (!name || !scopes) throw new UsageError('A key needs --name and --scopes.')
    const key = {
      name,
      scopes: scopes.split(',').map(toScope),
      ...(workspace && { workspace }),
      ...(expires && { expiresAt: expires }),
    }
    return { name: 'create', key, json }
  }
  throw new UsageError('Say "keys create", "keys list" or "keys revoke ID".')
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        scopes: { type: 'string' },
        workspace: { type: 'string' },
        expires: { type: 'string' },
        json: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function toScope(text: string): Scope {
  const scope = Object.values(Scope).find((known) => known === text.trim())
  if (!scope) throw new UsageError(`There is no scope "${text}".`)
  return scope
}
