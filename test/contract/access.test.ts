import { describe, expect, test, vi } from 'vitest'
import { type CreateKey, Scope } from '../../generated/types.gen.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { type Operation, operations } from '../support/contract.ts'
import { send } from '../support/raw.ts'
import { makeThings, requestFor } from '../support/requests.ts'
import { startServer } from '../support/server.ts'
import { makeKey } from '../support/things.ts'

/** Who may call what, derived from the contract: every operation with every kind of key. */

const { client, url } = await startServer()
const allScopes = Object.values(Scope)
const realm = 'Bearer realm="agents-datastores"'

const secured = operations.filter(({ security }) => security.length > 0)
const scopesOf = ({ security }: Operation): string[] => security[0]?.bearer ?? []

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

const ids = await makeThings(client)
async function call(operation: Operation, key: string | undefined, things = ids) {
  const { path, ...body } = requestFor(operation, things)
  const headers = { authorization: key === undefined ? '' : `Bearer ${key}` }
  const response = await send(url, operation.method, path, { ...body, headers })
  return [response.status, response.headers.get('www-authenticate')]
}

test('every operation but health names one scope, and every scope of an operation exists', () => {
  for (const operation of secured) {
    expect(scopesOf(operation)).toHaveLength(1)
    expect(allScopes).toContain(scopesOf(operation)[0])
  }
  const open = operations.filter(({ security }) => security.length === 0)
  expect(open.map(({ operationId }) => operationId)).toEqual(['getLiveness', 'getReadiness'])
})

describe.each(secured.map((operation) => [operation.operationId, operation] as const))(
  '%s',
  (_, operation) => {
    const [scope = ''] = scopesOf(operation)

    test('no key: 401', async () => {
      expect(await call(operation, undefined)).toEqual([401, `${realm}, error="invalid_token"`])
      const { path } = requestFor(operation, ids)
      const bare = await fetch(url + path, { method: operation.method })
      expect([bare.status, bare.headers.get('www-authenticate')]).toEqual([401, realm])
    })

    test.each([
      ['unknown', 'x'.repeat(40)],
      ['expired', expiredKey],
      ['revoked', revokedKey],
    ])('a key that is %s: 401', async (_kind, key) => {
      expect(await call(operation, key)).toEqual([401, `${realm}, error="invalid_token"`])
    })

    test('a key with every scope but its own: 403', async () => {
      expect(await call(operation, narrowKeys.get(`-${scope}`))).toEqual([
        403,
        `${realm}, error="insufficient_scope", scope="${scope}"`,
      ])
    })

    test('a key with its scope alone: it is let in', async () => {
      const [status] = await call(operation, narrowKeys.get(scope), await makeThings(client))
      const { operationId } = operation
      // It comes as far as the rule that a key gives no scope which it has not itself.
      const isNew = operationId.startsWith('create') || operationId === 'uploadFile'
      const expected = operationId === 'createKey' ? 403 : isNew ? 201 : 200
      expect(status).toBe(expected)
    })

    test('another workspace’s key: 404 where an id stands, else only its own things', async () => {
      const [status] = await call(operation, foreignKey)
      const expected = operation.path.includes('{') ? 404 : operation.method === 'POST' ? 201 : 200
      // Its keys are made for itself, and the example names none of its workspace.
      expect(status).toBe(expected)
    })
  },
)
