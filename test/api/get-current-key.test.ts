import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { Scope } from '../../generated/types.gen.ts'
import { checkedClient, startServer } from '../support/server.ts'
import { makeKey } from '../support/things.ts'

const { client, url } = await startServer()

test.each([
  ['of few scopes', { scopes: [Scope.AGENTS_QUERY] }],
  [
    'of no scope for keys, in another workspace',
    { workspace: 'ann', scopes: [Scope.METRICS_READ] },
  ],
  ['that expires', { expiresAt: '2099-12-31T23:59:59.000Z' }],
])('200: a key %s learns what it may do', async (_, body) => {
  const { key, lastUsedAt: _never, ...made } = await makeKey(client, body)
  const { data } = await sdk.getCurrentKey({ client: checkedClient(url, key) })
  expect(data).toMatchObject(made)
  expect(JSON.stringify(data)).not.toContain(key)
})

test('200: the first key has every scope', async () => {
  const { data } = await sdk.getCurrentKey({ client })
  expect(data?.scopes).toEqual(Object.values(Scope))
})

test('401: a revoked key', async () => {
  const { id, key } = await makeKey(client)
  await sdk.revokeKey({ client, path: { id } })
  const { response } = await sdk.getCurrentKey({ client: checkedClient(url, key) })
  expect(response?.status).toBe(401)
})
