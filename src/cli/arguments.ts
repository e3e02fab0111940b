import { parseArgs, type ParseArgsConfig } from 'node:util'
import { Scope } from '../../generated/types.gen.ts'

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

/** When a command line makes no command. */
export class UsageError extends Error {}

/** When a command fails; the message is for whoever gave it. */
export class CommandFailed extends Error {}

/** `parseArgs` with positionals. @throws UsageError */
export function parseWords<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: Options,
) {
  try {
    return parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
