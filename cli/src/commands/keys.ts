import { type Command, InvalidArgumentError } from 'commander'
import {
  type AgentsDatastores,
  type CreateKey,
  type Key,
  ProblemError,
  Scope,
} from '../../../client/src/index.ts'
import { UsageError } from '../failures.ts'
import { isPathLess } from '../names.ts'
import { print, printAs } from '../output/print.ts'
import { table } from '../output/table.ts'
import type { OpenSession, Session } from '../session.ts'

type Options = { name: string; scopes: Scope[]; workspace?: string; expires?: string }

const help = `
Scopes, to be given with commas between: ${Object.values(Scope).join(' ')}

Examples:
  $ agents-datastores keys create --name website --scopes agents:query
  $ agents-datastores keys create --name import --scopes datastores:read,datastores:write --expires 2027-01-31T00:00:00Z`

export function addKeys(program: Command, open: OpenSession): void {
  const keys = program
    .command('keys')
    .description('list, make and revoke keys')
    .addHelpText('after', help)
  keys
    .command('list')
    .description('all keys that this one may see, oldest first')
    .action((_, command) => within(open, command, list))
  keys
    .command('create')
    .description('make a key, which is shown only this once')
    .requiredOption('--name <name>', 'what it is for; needed')
    .requiredOption('--scopes <scopes>', 'what it may do, with commas between; needed', scopesOf)
    .option('--workspace <workspace>', 'its workspace; that of the key used if not given')
    .option('--expires <time>', 'an instant like 2027-01-31T00:00:00Z')
    .addHelpText('after', help)
    .action((options: Options, command) =>
      within(open, command, (session) => create(session, options)),
    )
  keys
    .command('revoke')
    .description('make a key invalid')
    .argument('<id>')
    .option('--yes', 'also if it is the key that you use')
    .action((id: string, { yes }: { yes?: true }, command) =>
      within(open, command, (session) => revoke(session, id, yes === true)),
    )
}

async function within(
  open: OpenSession,
  command: Command,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const session = await open(command)
  try {
    await work(session)
  } finally {
    await session.close?.()
  }
}

function scopesOf(text: string): Scope[] {
  return text.split(',').map((word) => {
    const scope = Object.values(Scope).find((known) => known === word.trim())
    if (!scope) throw new InvalidArgumentError(`There is no scope "${word}".`)
    return scope
  })
}

async function list({ client, isJson, signal }: Session) {
  const all: Key[] = []
  for await (const key of client.listKeys({ limit: 100 }, { signal })) all.push(key)
  await printAs(isJson, all, table(all.map(rowOf)))
}

async function create({ client, isJson }: Session, options: Options) {
  const { name, scopes, workspace, expires } = options
  const key: CreateKey = {
    name,
    scopes,
    ...(workspace !== undefined && { workspace }),
    ...(expires !== undefined && { expiresAt: expires }),
  }
  const made = await client.createKey(key)
  await printAs(isJson, made, table([rowOf(made)]))
  if (!isJson) await print(`The key, shown only this once: ${made.key}`)
}

async function revoke({ client, isJson }: Session, id: string, mayBeOwn: boolean) {
  if (isPathLess(id)) throw new UsageError(`"${id}" is no id of a key; "keys list" has them.`)
  if (!mayBeOwn && id === (await ownKeyId(client))) {
    throw new UsageError(`This revokes ${id}, the key that you use: say --yes.`)
  }
  const key = await client.revokeKey(id)
  await printAs(isJson, key, table([rowOf(key)]))
}

/** Undefined where the store is opened without a server, by a key that is not stored. */
async function ownKeyId(client: AgentsDatastores): Promise<string | undefined> {
  try {
    return (await client.getCurrentKey()).id
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return undefined
    throw error
  }
}

function rowOf({ id, workspace, name, scopes, expiresAt, lastUsedAt, revokedAt }: Key): string[] {
  const state = revokedAt ? `revoked ${revokedAt}` : expiresAt ? `expires ${expiresAt}` : 'valid'
  const used = lastUsedAt ? `used ${lastUsedAt}` : 'never used'
  return [id, workspace, JSON.stringify(name), scopes.join(','), state, used]
}
