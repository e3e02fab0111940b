import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { Scope } from '../../generated/types.gen.ts'
import { operations } from '../support/contract.ts'
import { send } from '../support/raw.ts'
import { type Ids, makeThings, requestFor } from '../support/requests.ts'
import { checkedClient, startServer } from '../support/server.ts'
import { makeDatastore, makeKey, query, upsert } from '../support/things.ts'

/** Two workspaces on one server: nothing of the one exists for the other. */

const { client, url } = await startServer()
const scopes = Object.values(Scope)
const annKey = (await makeKey(client, { scopes, workspace: 'ann' })).key
const bobKey = (await makeKey(client, { scopes, workspace: 'bob' })).key
const ann = checkedClient(url, annKey)
const bob = checkedClient(url, bobKey)

const unknown: Ids = {
  agent: 'agt_unknown',
  conversation: 'cnv_unknown',
  datastore: 'dst_unknown',
  datasource: 'src_unknown',
  key: 'unknown',
}

async function asBob(operation: (typeof operations)[number], ids: Ids): Promise<string> {
  const { path, ...body } = requestFor(operation, ids)
  const headers = { authorization: `Bearer ${bobKey}` }
  const response = await send(url, operation.method, path, { ...body, headers })
  const { requestId: _, ...problem } = (await response.json()) as Record<string, unknown>
  return JSON.stringify([response.status, problem])
}

/** The answer with the ids that were asked for taken out. */
const withoutEcho = (answer: string, ids: Ids): string =>
  Object.entries(ids).reduce((text, [kind, id]) => text.replaceAll(id, `<${kind}>`), answer)

const foreign = await makeThings(ann)
const own = await makeThings(bob)
const withIds = operations.filter(({ path }) => path.includes('{'))

test.each(withIds.map((operation) => [operation.operationId, operation] as const))(
  '%s on another workspace’s things answers as on things that never were',
  async (_, operation) => {
    const fields = operation.parameters.filter(({ in: place }) => place === 'path')
    expect(fields.length).toBeGreaterThan(0)
    const answer = withoutEcho(await asBob(operation, foreign), foreign)
    expect(answer).toContain('[404,')
    expect(answer).toBe(withoutEcho(await asBob(operation, unknown), unknown))
    // Each id on its own is foreign too, when the others are the caller's.
    for (const kind of ['datasource', 'key', 'agent', 'datastore', 'conversation'] as const) {
      const mixed = { ...own, [kind]: foreign[kind] }
      const never = { ...own, [kind]: unknown[kind] }
      if (
        JSON.stringify(requestFor(operation, mixed)) === JSON.stringify(requestFor(operation, own))
      ) {
        continue
      }
      const mixedAnswer = withoutEcho(await asBob(operation, mixed), mixed)
      // What a body names is wrong there; what a path names is not there.
      const isNamed = operation.operationId === 'putKnowledge' && kind === 'datastore'
      expect(mixedAnswer).toContain(isNamed ? '[400,' : '[404,')
      expect(mixedAnswer).toBe(withoutEcho(await asBob(operation, never), never))
    }
  },
)

test('foreign ids in filters match nothing', async () => {
  const id = await makeDatastore(bob)
  const [mine = ''] = await upsert(bob, id, { text: 'An example.', metadata: { custom_id: 'bob' } })
  const found = (filters: object) => query(bob, id, { query: 'example', filters })
  expect(await found({ datasource_ids: [foreign.datasource] })).toEqual([])
  expect(await found({ datasource_ids: [foreign.datasource, mine] })).toHaveLength(1)
  await upsert(ann, foreign.datastore, { text: 'An example.', metadata: { custom_id: 'bob' } })
  expect(await found({ custom_ids: ['bob'] })).toHaveLength(1)
})

test('lists show nothing of another workspace', async () => {
  const things = await makeThings(ann)
  const workspace = 'empty'
  const { key } = await makeKey(client, { scopes, workspace })
  const other = checkedClient(url, key)
  const [agents, datastores, keys] = await Promise.all([
    sdk.listAgents({ client: other, throwOnError: true }),
    sdk.listDatastores({ client: other, throwOnError: true }),
    sdk.listKeys({ client: other, throwOnError: true }),
  ])
  expect(agents.data.data).toEqual([])
  expect(datastores.data.data).toEqual([])
  expect(keys.data.data.map((one) => one.workspace)).toEqual([workspace])
  const { data } = await sdk.listAgents({ client: ann, query: { limit: 100 }, throwOnError: true })
  expect(data.data.map(({ id }) => id)).toContain(things.agent)
})
