import { connect, Index } from '@lancedb/lancedb'
import { expect, test } from 'vitest'
import type { MetadataFilter } from '../../generated/types.gen.ts'
import { Random, roundsFor } from '../support/random.ts'
import { openServer, temporaryDirectory, type TestServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'
import { matches } from './metadata-match.ts'
import { filterOf, metadataOf } from './random-metadata.ts'

/** As many as one answer shows. */
const documents = 90
const later = 10
const together = 10
const { rounds, seed } = roundsFor('FILTERS', 40)
const modes = ['hybrid', 'vector', 'keyword'] as const

type Metadata = ReturnType<typeof metadataOf>
type Stored = { id: string; metadata: Metadata }

test(`${rounds} filters match what comparing all by hand matches, with and without an index`, async () => {
  const random = new Random(seed)
  const dataUri = await temporaryDirectory()
  const stored: Stored[] = []
  let server = await openServer({ dataUri })
  const id = await makeDatastore(server.client)
  await store(server, id, stored, documents, random)
  await compare(server, id, stored, rounds / 2, random)
  await server.close()
  await makeIndex(dataUri, id)
  server = await openServer({ dataUri })
  // Some rows are in no index yet.
  await store(server, id, stored, later, random)
  await compare(server, id, stored, rounds / 2, random)
  await server.close()
}, 3_600_000)

async function store(
  { client }: TestServer,
  id: string,
  stored: Stored[],
  count: number,
  random: Random,
): Promise<void> {
  const made = Array.from({ length: count }, () => metadataOf(random))
  const sent = made.map((metadata, n) => ({
    text: `A text, number ${n}.`,
    metadata,
  }))
  const ids = await upsert(client, id, ...sent)
  stored.push(...ids.map((one, n) => ({ id: one, metadata: made[n]! })))
}

async function makeIndex(dataUri: string, id: string): Promise<void> {
  const connection = await connect(dataUri)
  const table = await connection.openTable(`fragments_${id}`)
  await table.createIndex('labels', { config: Index.labelList(), name: 'labels_idx' })
  connection.close()
}

async function compare(
  server: TestServer,
  id: string,
  stored: Stored[],
  count: number,
  random: Random,
): Promise<void> {
  let matched = 0
  for (let done = 0; done < count; done += together) {
    const filters = Array.from({ length: together }, () => filterOf(random))
    await Promise.all(
      filters.map(async (filter, n) => {
        const expected = stored.filter(({ metadata }) => matches(filter, metadata))
        matched += expected.length
        const found = await find(server, id, filter, modes[(done + n) % modes.length]!)
        expect(found, JSON.stringify(filter)).toEqual(expected.map((one) => one.id).toSorted())
      }),
    )
  }
  // Neither all filters match everything nor nothing.
  const share = matched / (count * stored.length)
  expect(share).toBeGreaterThan(0.1)
  expect(share).toBeLessThan(0.9)
}

async function find(
  { client }: TestServer,
  id: string,
  metadata: MetadataFilter,
  mode: (typeof modes)[number],
): Promise<string[]> {
  const body = { query: 'text number', topK: 100, mode, filters: { metadata } }
  const found = await query(client, id, body)
  return found.map(({ datasource_id }) => datasource_id).toSorted()
}

test('a list of a thousand values finds those with blanks, quotes, commas and control characters', async () => {
  const server = await openServer({ dataUri: await temporaryDirectory() })
  const id = await makeDatastore(server.client)
  const odd = ["it's", 'a, b', "'; --", '[x]', '\u001f', '\u0000', '河', ' ', '\\']
  const sent = odd.map((value, n) => ({ text: `A text, number ${n}.`, metadata: { odd: value } }))
  const ids = await upsert(server.client, id, ...sent, { text: 'A text.', metadata: { odd: 'no' } })
  const others = Array.from({ length: 990 }, (_, n) => `value ${n}`)
  const filter: MetadataFilter = { type: 'in', key: 'odd', value: [...others, ...odd] }
  expect(await find(server, id, filter, 'hybrid')).toEqual(ids.slice(0, -1).toSorted())
  const none: MetadataFilter = { type: 'nin', key: 'odd', value: [...odd, ...others] }
  expect(await find(server, id, none, 'keyword')).toEqual(ids.slice(-1))
  await server.close()
})
