import { expect, test, vi } from 'vitest'
import { type CreateKey, Scope } from '../../generated/types.gen.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { type Operation, operations } from '../support/contract.ts'
import { send } from '../support/raw.ts'
import { makeThings, named, replaced, requestFor } from '../support/requests.ts'
import { startServer } from '../support/server.ts'
import { makeKey } from '../support/things.ts'

/** Who may call what, derived from the contract: every operation with every kind of key. */

const { client, url } = await startServer()
const allScopes = Object.values(Scope)
const realm = 'Bearer realm="agents-datastores"'

const secured = operations.filter(({ security }) => security.length > 0)
const scopesOf = ({ security }: Operation): string[] => security[0]?.bearer ?? []
/** All but those that any key may call. */
const scoped = secured.filter((operation) => scopesOf(operation).length > 0)

const newKey = async (fields: Partial<CreateKey>): Promise<string> =>
  (await makeKey(client, { scopes: allScopes, ...fields })).key

const revokedKey = await newKey({})
await sdk.revokeKey({ client, path: { id: revokedKey.split('_')[1] ?? '' } })
const expiredKey = await keyOfAnHourAgo()

async function keyOfAnHourAgo(): Promise<string> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
  try {
    return await newKey({ expiresAt: new Date(Date.now() + 1_000).toISOString() })
  } finally {
    vi.useRealTimers()
  }
}

const foreignKey = await newKey({ workspace: 'elsewhere' })
const narrowKeys = new Map<string, string>()
for (const scope of allScopes) {
  narrowKeys.set(scope, await newKey({ scopes: [scope] }))
  narrowKeys.set(`-${scope}`, await newKey({ scopes: allScopes.filter((one) => one !== scope) }))
}

let things = await makeThings(client)
async function call(operation: Operation, key: string | undefined) {
  const { path, ...body } = requestFor(operation, things)
  const headers = { authorization: key === undefined ? '' : `Bearer ${key}` }
  const response = await send(url, operation.method, path, { ...body, headers })
  if (response.ok) things = await replaced(client, things, operation)
  return [response.status, response.headers.get('www-authenticate')]
}

test('every operation but health names one scope or takes any key, and every scope exists', () => {
  for (const operation of scoped) {
    expect(scopesOf(operation)).toHaveLength(1)
    expect(allScopes).toContain(scopesOf(operation)[0])
  }
  const others = secured.filter((operation) => !scoped.includes(operation))
  expect(others.map(({ operationId }) => operationId)).toEqual(['getCurrentKey'])
  const open = operations.filter(({ security }) => security.length === 0)
  expect(open.map(({ operationId }) => operationId)).toEqual(['getLiveness', 'getReadiness'])
})

test.each(named(secured))('%s lets in only a key that is valid', async (_, operation) => {
  const { method } = operation
  const invalid = [401, `${realm}, error="invalid_token"`]
  const wrong = { missing: undefined, unknown: 'x'.repeat(40), expiredKey, revokedKey }
  for (const [kind, key] of Object.entries(wrong)) {
    expect.soft(await call(operation, key), kind).toEqual(invalid)
  }
  const bare = await fetch(url + requestFor(operation, things).path, { method })
  const told = [bare.status, bare.headers.get('www-authenticate')]
  expect.soft(told, 'no header').toEqual([401, realm])
})

test.each(named(scoped))('%s lets in a key with its scope, and no other', async (_, operation) => {
  const { method, operationId, path } = operation
  const [scope = ''] = scopesOf(operation)
  const narrow = [403, `${realm}, error="insufficient_scope", scope="${scope}"`]
  expect.soft(await call(operation, narrowKeys.get(`-${scope}`)), 'other scopes').toEqual(narrow)
  // Another workspace's key finds nothing where an id stands; else only its own things.
  const found = path.includes('{') ? 404 : method === 'POST' ? 201 : 200
  expect.soft((await call(operation, foreignKey))[0], 'another workspace').toBe(found)

  // It comes as far as the rule that a key gives no scope which it has not itself.
  const isNew = operationId.startsWith('create') || operationId === 'uploadFile'
  const expected = operationId === 'createKey' ? 403 : isNew ? 201 : 200
  expect.soft((await call(operation, narrowKeys.get(scope)))[0], 'its scope').toBe(expected)
})
