import { describe, expect, test } from 'vitest'
import { checkAnswer } from '../support/contract-fetch.ts'
import { document, type Json, type Operation, operations } from '../support/contract.ts'
import { allWrong, type Limit, limitsOf, type Sent } from '../support/limits.ts'
import { placesOf, send } from '../support/raw.ts'
import { startServer, testKey } from '../support/server.ts'
import { makeAgent, makeDatastore, makeKey, upsert } from '../support/things.ts'

/** Everything here is derived from the contract: a limit added to it is tested by this file. */

const { client, url } = await startServer()

/** The ids of the contract's examples, by what they stand for. */
const exampleIds = {
  agent: 'agt_5f0d2c9be1a84c7d93b6a1f2',
  datastore: 'dst_b7c1f0a2d94e4e0f8a6c3d51',
  datasource: 'src_0d6f2b8c41e94a7f9c53e7a1000',
  key: '4c1d9a7e20b35f68',
}

/** The text with the ids of things just made in the place of the examples'. */
async function withFreshIds(text: string): Promise<string> {
  let fresh = text
  if (text.includes(exampleIds.agent)) {
    fresh = fresh.replaceAll(exampleIds.agent, (await makeAgent(client)).id)
  }
  if (text.includes(exampleIds.key)) {
    fresh = fresh.replaceAll(exampleIds.key, (await makeKey(client)).id)
  }
  if (text.includes(exampleIds.datastore)) {
    const datastore = await makeDatastore(client)
    const [datasource = ''] = await upsert(client, datastore, 'An example.')
    fresh = fresh
      .replaceAll(exampleIds.datastore, datastore)
      .replaceAll(exampleIds.datasource, datasource)
  }
  return fresh
}

async function sendTo({ method, path }: Operation, sent: Sent): Promise<Response> {
  const fresh: Sent = JSON.parse(await withFreshIds(JSON.stringify(sent)))
  const query = new URLSearchParams(asStrings(fresh.query))
  const filled = Object.entries(asStrings(fresh.path)).reduce(
    (result, [name, value]) => result.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  )
  const body = fresh.body === undefined ? {} : { body: JSON.stringify(fresh.body) }
  const target = query.size > 0 ? `${filled}?${query}` : filled
  return send(url, method, target, { ...body, headers: asStrings(fresh.header) })
}

const asStrings = (members: { [name: string]: Json }): Record<string, string> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, String(value)]))

const named = (limits: Limit[]) => limits.map((limit) => [limit.title, limit] as const)

/** What a request at the edge of a limit may be answered with. */
function answersTo({ place, example }: Limit): number[] {
  // In the place of an id there stands one that never was.
  if (Object.values(exampleIds).includes(String(example))) return [404]
  if (place.at(-1) === 'If-Match') return [200, 412]
  return [200, 201]
}

/** Only the service knows which of the texts that the contract allows it has made. */
const isOpaque = ({ place }: Limit): boolean => place.at(-1) === 'cursor'

describe.each(operations.map((operation) => [operation.operationId, operation] as const))(
  '%s',
  (_, operation) => {
    const limits = limitsOf(operation)

    test.for(named(limits.filter(({ edge }) => edge)))('takes %s', async ([, limit]) => {
      const response = await sendTo(operation, limit.edge!)
      if (isOpaque(limit) && response.status === 400) {
        expect(await placesOf(response)).toEqual([limit.pointer])
      } else {
        expect(answersTo(limit)).toContain(response.status)
      }
    })

    test.for(named(limits.filter(({ past }) => past)))(
      'refuses and names what is past %s',
      async ([, { past, pointer }]) => {
        const response = await sendTo(operation, past!)
        const places = [...new Set(await placesOf(response))]
        expect([response.status, places]).toEqual([400, [pointer]])
      },
    )

    test.each(['limit', 'type'] as const)('names all places, each past its %s', async (how) => {
      const { sent, pointers } = allWrong(operation, how)
      const response = await sendTo(operation, sent)
      const places = [...new Set(await placesOf(response))]
      expect([response.status, places.toSorted()]).toEqual([400, pointers.toSorted()])
    })
  },
)
