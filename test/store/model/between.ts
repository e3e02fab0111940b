import * as fc from 'fast-check'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Client } from '../../../generated/client/index.ts'
import * as sdk from '../../../generated/sdk.gen.ts'
import type { CreateAgent } from '../../../generated/types.gen.ts'
import { expectAgents } from './agents.ts'
import { answerOf, expectAnswer, invalid } from './answer.ts'
import { expectDatastores } from './datastores.ts'
import { write } from './documents.ts'
import { expectKeys } from './keys.ts'
import type { Shelf } from './shelf.ts'
import { number, sent, textOf } from './values.ts'
import { ownOf, stepOf, whoever, type World } from './world.ts'
import { expectShelf, send, usable } from './writes.ts'

/** Everything the model knows, against everything the service tells. */
export async function expectAll(world: World): Promise<void> {
  for (const asker of [0, 1] as const) {
    await expectAgents(world, asker, 100)
    await expectKeys(world, asker, 100)
    await expectDatastores(world, asker, 100)
    for (const shelf of ownOf(world.shelves, asker)) await expectShelf(world, shelf)
  }
}

export const restart = stepOf(
  'restart',
  fc.record({ hasProvider: fc.constantFrom(false, false, true) }),
  async (world, { hasProvider }) => {
    await world.restart(hasProvider)
    await expectAll(world)
  },
)

/** More commits than the store lets stand before it compacts, one after the other. */
const manyCommits = 18

export const compact = stepOf('compact', fc.tuple(whoever, number), async (world, [asker, n]) => {
  const shelf = usable(world, asker, n)
  if (!shelf) return
  for (let round = 0; round < manyCommits; round++) {
    const document = { text: { about: round, lines: 1 } }
    const id = shelf.documents[n % shelf.documents.length]?.id
    const change = id
      ? { kind: 'update' as const, id, document }
      : { kind: 'upsert' as const, documents: [document] }
    await write(world, asker, shelf.id, shelf, change)
  }
  await expectShelf(world, shelf)
})

/** A request that breaks a rule does nothing, whatever else it holds. */
export const breakRule = stepOf(
  'breakRule',
  fc.tuple(whoever, number, sent),
  async (world, [asker, n, { text }]) => {
    const shelves = ownOf(world.shelves, asker)
    const shelf = shelves[n % shelves.length]
    if (!shelf) return
    const broken = brokenRules(world.client(asker), shelf, textOf(text))
    const [call, pointers] = broken[n % broken.length]!
    expectAnswer(await answerOf(call()), invalid(...pointers))
    await expectShelf(world, shelf)
  },
)

/** Requests, and the places of what is wrong with them. */
function brokenRules(
  client: Client,
  { id, documents }: Shelf,
  text: string,
): [() => Parameters<typeof answerOf>[0], string[]][] {
  const path = { id, datastoreId: id }
  const upsert = { documents: [{ text }, { text: ' \n' }] }
  const update = { id: documents[0]?.id ?? "no'document", text: '' }
  const agent = { name: 'x' } as CreateAgent
  return [
    [() => sdk.upsertDocuments({ client, path, body: upsert }), ['/documents/1/text']],
    [() => sdk.updateDatasource({ client, path, body: update }), ['/text', '/text']],
    [
      () => sdk.queryDatastore({ client, path, body: { query: 'x', topK: 0.5 } }),
      ['/topK', '/topK'],
    ],
    [() => sdk.createAgent({ client, body: agent }), ['/description']],
    [() => sdk.listAgents({ client, query: { cursor: 'x' } }), ['/query/cursor']],
  ]
}

/** A client that goes away with its request half sent, so that nothing may come of it. */
export const breakOff = stepOf('breakOff', fc.tuple(whoever, number, sent), async (world, args) => {
  const [asker, n, { text }] = args
  const shelves = ownOf(world.shelves, asker)
  const shelf = shelves[n % shelves.length]
  if (!shelf) return
  const body = JSON.stringify({ documents: [{ text: textOf(text) }] })
  const { hostname, port, host } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  const lines = [
    `POST /api/datastores/upsert/${shelf.id} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${world.secretOf(asker)}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body.slice(0, body.length / 2)}`)
  socket.resume()
  await once(socket, 'close')
  await expectShelf(world, shelf)
})

/** A client that goes away without its answer asks again under its key, and has it done once. */
export const giveUp = stepOf(
  'giveUp',
  fc.record({
    asker: whoever,
    n: number,
    after: fc.nat(25),
    documents: fc.array(sent, { minLength: 1, maxLength: 3 }),
  }),
  async (world, { asker, n, after, documents }) => {
    const shelves = ownOf(world.shelves, asker)
    const shelf = shelves[n % shelves.length]
    if (!shelf) return
    const change = { kind: 'upsert' as const, key: world.newName(), documents }
    const signal = AbortSignal.timeout(after)
    await send(world.client(asker), shelf.id, change, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    await write(world, asker, shelf.id, shelf, change)
    await expectShelf(world, shelf)
  },
)
