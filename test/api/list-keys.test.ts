import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { type Key, Scope } from '../../generated/types.gen.ts'
import { checkedClient, startServer } from '../support/server.ts'
import { makeKey } from '../support/things.ts'

const { client, url } = await startServer()

async function list(by = client): Promise<Key[]> {
  const query = { limit: 100 }
  const { data } = await sdk.listKeys({ client: by, query, throwOnError: true })
  return data.data
}

test('200: every workspace’s keys for a key of default, its own for another, and no key itself', async () => {
  const ann = await makeKey(client, { workspace: 'ann', scopes: [Scope.KEYS_ADMIN] })
  const bob = await makeKey(client, { workspace: 'bob' })
  const all = await list()
  expect(all.map(({ id }) => id)).toEqual(['initial', ann.id, bob.id])
  expect((await list(checkedClient(url, ann.key))).map(({ id }) => id)).toEqual([ann.id])
  for (const secret of [ann.key, bob.key]) expect(JSON.stringify(all)).not.toContain(secret)
})

test('200: pages, and revoked keys are listed too', async () => {
  const made: string[] = []
  for (let n = 0; n < 4; n++)
    made.push((await makeKey(client, { workspace: 'pages', name: `${n}` })).id)
  const admin = await makeKey(client, { workspace: 'pages', scopes: [Scope.KEYS_ADMIN] })
  const pages = checkedClient(url, admin.key)
  await sdk.revokeKey({ client: pages, path: { id: made[1] ?? '' } })
  const seen: string[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { limit: 2, ...(cursor && { cursor }) }
    const { data } = await sdk.listKeys({ client: pages, query, throwOnError: true })
    seen.push(...data.data.map(({ id }) => id))
    cursor = data.nextCursor
  }
  expect(seen).toEqual([...made, admin.id])
})

test('200: the last use is noted', async () => {
  const { id, key } = await makeKey(client, { scopes: [Scope.AGENTS_READ] })
  const lastUse = async () => (await list()).find((one) => one.id === id)?.lastUsedAt
  expect(await lastUse()).toBeNull()
  const before = new Date().toISOString()
  await sdk.listAgents({ client: checkedClient(url, key) })
  await expect.poll(lastUse).not.toBeNull()
  const noted = await lastUse()
  expect([before, noted, new Date().toISOString()].toSorted()[1]).toBe(noted)
})
