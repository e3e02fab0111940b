import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { Scope } from '../../generated/types.gen.ts'
import { checkedClient } from '../support/server.ts'
import { makeKey } from '../support/things.ts'
import { KnownThings } from './known-things.ts'

/** What a workspace has, and the word that everything it stores is marked with. */
export type Workspace = { name: string; marker: string; things: KnownThings }

/** Who sends a request; `scopes` are none where its key is none. */
export type Caller = { workspace: Workspace; scopes?: Scope[]; authorization?: string }

export const allScopes = Object.values(Scope)

export type Callers = { full: Caller[]; limited: Caller[]; unknown: Caller[] }

const names = ['fuzz-one', 'fuzz-two']

/** Two workspaces with a key of every scope and some of one or two, and callers that are nobody. */
export async function makeCallers(url: string, initialKey: string): Promise<Callers> {
  const client = checkedClient(url, initialKey)
  const workspaces = names.map((name): Workspace => ({
    name,
    marker: `zq${name}canary`,
    things: new KnownThings(),
  }))
  const full = await Promise.all(workspaces.map((one) => callerOf(client, one, allScopes)))
  const limited = await Promise.all(
    workspaces.flatMap((one) => [
      ...allScopes.map((scope) => callerOf(client, one, [scope])),
      callerOf(client, one, [Scope.AGENTS_QUERY, Scope.DATASTORES_READ]),
    ]),
  )
  const revoked = await makeRevoked(client)
  const unknown = [
    undefined,
    '',
    'Bearer',
    `Basic ${initialKey}`,
    `Bearer ${revoked}`,
    ...forged,
  ].map((authorization): Caller => ({
    workspace: workspaces[0]!,
    ...(authorization !== undefined && { authorization }),
  }))
  return { full, limited, unknown }
}

const forged = [
  'Bearer x',
  `Bearer ${'x'.repeat(8_000)}`,
  'Bearer ads_4c1d9a7e20b35f68_00000000000000000000000000000000000000000b2c4d6e',
  'Bearer ads_0000000000000000_',
  "Bearer ' OR 1=1 --",
]

async function callerOf(client: Client, workspace: Workspace, scopes: Scope[]): Promise<Caller> {
  const { name, marker } = workspace
  const { key } = await makeKey(client, { name: marker, workspace: name, scopes })
  return { workspace, scopes, authorization: `Bearer ${key}` }
}

async function makeRevoked(client: Client): Promise<string> {
  const { id, key } = await makeKey(client)
  await sdk.revokeKey({ client, path: { id }, throwOnError: true })
  return key
}
