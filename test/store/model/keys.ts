import * as fc from 'fast-check'
import { expect } from 'vitest'
import * as sdk from '../../../generated/sdk.gen.ts'
import { type Key, Scope } from '../../../generated/types.gen.ts'
import { checkedClient } from '../../support/server.ts'
import { answerOf, expectAnswer, notFound, ok } from './answer.ts'
import { expectList } from './lists.ts'
import { limit } from './values.ts'
import {
  find,
  type KnownKey,
  ownOf,
  stepOf,
  target,
  type Who,
  whoever,
  type World,
} from './world.ts'

const { AGENTS_READ, DATASTORES_READ } = Scope

/** A use is noted some time after it, and nobody waits for that. */
const unnoted = <K extends Key>(key: K): K => ({ ...key, lastUsedAt: null })

/** A key that was revoked stays in the list. */
const keysOf = (world: World, asker: Who): KnownKey[] =>
  world.keys.filter((key) => key.who === asker)

export const expectKeys = (world: World, asker: Who, size: number): Promise<void> =>
  expectList(
    async (query) => {
      const result = await sdk.listKeys({ client: world.client(asker), query })
      const { data } = result
      return data ? { ...result, data: { ...data, data: data.data.map(unnoted) } } : result
    },
    size,
    keysOf(world, asker).map(({ shown }) => shown),
  )

/** What a key may do, which is to list agents or nothing at all. */
async function expectUse(world: World, { secret, shown, gone }: KnownKey): Promise<void> {
  const { data, error, response } = await sdk.listAgents({
    client: checkedClient(world.url, secret),
    query: { limit: 100 },
  })
  const code = error?.code
  const isAllowed = shown.scopes.includes(AGENTS_READ)
  const [status, said] = gone
    ? [401, 'unauthenticated']
    : isAllowed
      ? [200, undefined]
      : [403, 'insufficient_scope']
  expect([response?.status, code]).toEqual([status, said])
  if (status !== 200) return
  const asker = world.keys.find((key) => key.secret === secret)!.who
  expect(data?.data).toEqual(ownOf(world.agents, asker).map(({ agent }) => agent))
}

export const createKey = stepOf(
  'createKey',
  fc.tuple(whoever, fc.subarray([AGENTS_READ, DATASTORES_READ], { minLength: 1 })),
  async (world, [asker, scopes]) => {
    const body = { name: 'made', scopes }
    const answer = await answerOf(sdk.createKey({ client: world.client(asker), body }))
    const { id, key, createdAt } = answer.body as Key & { key: string }
    const times = { createdAt, expiresAt: null, lastUsedAt: null, revokedAt: null }
    const shown = { id, ...body, workspace: `model-${asker}`, ...times }
    expectAnswer(answer, { status: 201, body: { ...shown, key } })
    const known = { id, who: asker, gone: false, shown, secret: key }
    world.keys.push(known)
    await expectUse(world, known)
  },
)

export const useKey = stepOf('useKey', fc.nat(99), async (world, n) => {
  await expectUse(world, world.keys[n % world.keys.length]!)
})

export const listKeys = stepOf('listKeys', fc.tuple(whoever, limit), (world, [asker, size]) =>
  expectKeys(world, asker, size),
)

export const revokeKey = stepOf(
  'revokeKey',
  fc.tuple(whoever, target),
  async (world, [asker, wanted]) => {
    // The first two are the workspaces' own, which the other steps need.
    const { id } = find(world.keys.slice(2), asker, wanted)
    const known = keysOf(world, asker).find((key) => key.id === id)
    const answer = await answerOf(sdk.revokeKey({ client: world.client(asker), path: { id } }))
    if (!known) return expectAnswer(answer, notFound('key', id))
    const body = unnoted(answer.body as Key)
    const revokedAt = known.shown.revokedAt ?? body.revokedAt
    expect(revokedAt).not.toBeNull()
    Object.assign(known, { gone: true, shown: { ...known.shown, revokedAt } })
    expectAnswer({ ...answer, body }, ok(known.shown))
    await expectUse(world, known)
  },
)
