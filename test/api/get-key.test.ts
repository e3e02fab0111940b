import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { Scope } from '../../generated/types.gen.ts'
import { send } from '../support/raw.ts'
import { checkedClient, startServer } from '../support/server.ts'
import { makeKey } from '../support/things.ts'

const { client, url } = await startServer()

test('200: the key as it was made, without the key itself', async () => {
  const { key, ...made } = await makeKey(client, {
    name: 'website',
    scopes: [Scope.AGENTS_READ, Scope.DATASTORES_READ],
    expiresAt: '2099-12-31T23:59:59.000Z',
  })
  const { data } = await sdk.getKey({ client, path: { id: made.id } })
  expect(data).toEqual(made)
  expect(JSON.stringify(data)).not.toContain(key)
})

test('200: the Location of a key that was made leads to it', async () => {
  const body = JSON.stringify({ name: 'website', scopes: ['agents:read'] })
  const created = await send(url, 'POST', '/keys', { body })
  const { key: _, ...made } = (await created.json()) as { key: string }
  const found = await send(url, 'GET', created.headers.get('location') ?? '')
  expect(await found.json()).toEqual(made)
})

test('200: a revoked key says when', async () => {
  const { id } = await makeKey(client)
  const { data: revoked } = await sdk.revokeKey({ client, path: { id } })
  const { data } = await sdk.getKey({ client, path: { id } })
  expect(data).toEqual(revoked)
})

test('200: a key of default gets every workspace’s', async () => {
  const { key: _, ...made } = await makeKey(client, { workspace: 'carl' })
  expect((await sdk.getKey({ client, path: { id: made.id } })).data).toEqual(made)
})

test('404: an unknown key, and another workspace’s', async () => {
  const { id: own, key } = await makeKey(client, { workspace: 'ann', scopes: [Scope.KEYS_ADMIN] })
  const bob = await makeKey(client, { workspace: 'bob' })
  const ann = checkedClient(url, key)
  for (const id of [bob.id, 'initial', 'unknown', "' OR ''='"]) {
    expect((await sdk.getKey({ client: ann, path: { id } })).response?.status).toBe(404)
  }
  expect((await sdk.getKey({ client: ann, path: { id: own } })).response?.status).toBe(200)
})

test('403: without keys:admin', async () => {
  const { id, key } = await makeKey(client, { scopes: [Scope.AGENTS_READ] })
  const { response } = await sdk.getKey({ client: checkedClient(url, key), path: { id } })
  expect(response?.status).toBe(403)
})
