import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { Scope } from '../../generated/types.gen.ts'
import { checkedClient, startServer } from '../support/server.ts'
import { makeKey } from '../support/things.ts'

const { client, url } = await startServer()

test('200: from the answer on the key is refused; revoking it again changes nothing', async () => {
  const { id, key } = await makeKey(client, { scopes: [Scope.AGENTS_READ] })
  const user = checkedClient(url, key)
  expect((await sdk.listAgents({ client: user })).response?.status).toBe(200)
  const { data: first } = await sdk.revokeKey({ client, path: { id } })
  expect(first?.revokedAt).not.toBeNull()
  expect((await sdk.listAgents({ client: user })).response?.status).toBe(401)
  const { data: second } = await sdk.revokeKey({ client, path: { id } })
  expect(second?.revokedAt).toBe(first?.revokedAt)
})

test('200: while its use is being noted, too', { tags: 'deep' }, async () => {
  for (let round = 0; round < 10; round++) {
    const { id, key } = await makeKey(client, { scopes: [Scope.AGENTS_READ] })
    const user = checkedClient(url, key)
    const uses = Array.from({ length: 5 }, () => sdk.listAgents({ client: user }))
    await sdk.revokeKey({ client, path: { id } })
    await Promise.all(uses)
    expect((await sdk.listAgents({ client: user })).response?.status).toBe(401)
  }
})

test('404: an unknown key, and another workspace’s', async () => {
  const { key } = await makeKey(client, { workspace: 'ann', scopes: [Scope.KEYS_ADMIN] })
  const bob = await makeKey(client, { workspace: 'bob' })
  const ann = checkedClient(url, key)
  for (const id of [bob.id, 'initial', 'unknown', "' OR ''='"]) {
    expect((await sdk.revokeKey({ client: ann, path: { id } })).response?.status).toBe(404)
  }
  const { response } = await sdk.listDatastores({ client: checkedClient(url, bob.key) })
  expect(response?.status).toBe(200)
})
