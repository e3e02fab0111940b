import { type CreatedKey, type CreateKey, type Key, Scope } from '../../generated/types.gen.ts'
import { parseWords, UsageError } from './arguments.ts'
import type { KeyClient } from './key-client.ts'

type KeyCommand = (keys: KeyClient) => Promise<Key | CreatedKey | Key[]>

/** Carries out a command on keys and returns what to print. @throws UsageError, CommandFailed */
export async function runKeyCommand(
  args: string[],
  openKeys: () => Promise<KeyClient>,
): Promise<string> {
  const { command, json } = readCommand(args)
  const keys = await openKeys()
  try {
    const result = await command(keys)
    return json ? JSON.stringify(result) : toText(result)
  } finally {
    await keys.close()
  }
}

function readCommand(args: string[]): { command: KeyCommand; json: boolean } {
  const text = { type: 'string' } as const
  const { values, positionals } = parseWords(args, {
    name: text,
    scopes: text,
    workspace: text,
    expires: text,
    json: { type: 'boolean' },
  })
  const { json = false, name, scopes, workspace, expires } = values
  const [noun, verb, id, ...rest] = positionals
  if (noun !== 'keys' || rest.length > 0) throw new UsageError('Say "keys" and what to do.')
  if (verb === 'list' && !id) return { json, command: (keys) => keys.list() }
  if (verb === 'revoke' && id) return { json, command: (keys) => keys.revoke(id) }
  if (verb === 'create' && !id) {
    if (!name || !scopes) throw new UsageError('A key needs --name and --scopes.')
    const key: CreateKey = {
      name,
      scopes: scopes.split(',').map(toScope),
      ...(workspace && { workspace }),
      ...(expires && { expiresAt: expires }),
    }
    return { json, command: (keys) => keys.create(key) }
  }
  throw new UsageError('Say "keys create", "keys list" or "keys revoke ID".')
}

function toScope(text: string): Scope {
  const scope = Object.values(Scope).find((known) => known === text.trim())
  if (!scope) throw new UsageError(`There is no scope "${text}".`)
  return scope
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
