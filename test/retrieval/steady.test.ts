import { connect } from '@lancedb/lancedb'
import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { Client } from '../../generated/client/index.ts'
import { type Fragment, type QueryDatastore, QueryMode } from '../../generated/types.gen.ts'
import { Provider } from '../support/provider.ts'
import { Random } from '../support/random.ts'
import { openServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'
import { filtersOf, textOf } from './brute-force.ts'
import { storeSamples } from './samples.ts'

const { KEYWORD, HYBRID } = QueryMode
const provider = await Provider.start()
const parts = 3

/** Settles when the index of words, or another one, holds all rows. */
const areIndexed = (dataUri: string, id: string, index?: string) =>
  expect.poll(() => unindexed(dataUri, id, index), { timeout: 60_000, interval: 100 }).toBe(0)

/** How many rows it does not hold yet, or another one, where there is no such index `Infinity`. */
async function unindexed(dataUri: string, id: string, index = 'words_idx'): Promise<number> {
  const connection = await connect(dataUri)
  const table = await connection.openTable(`fragments_${id}`)
  const stats = await table.indexStats(index)
  connection.close()
  return stats?.numUnindexedRows ?? Infinity
}

/** Which share of the fragments of one answer the other has, too. */
function overlapOf(answer: Fragment[], other: Fragment[]): number {
  const ids = new Set(other.map(({ datasource_id }) => datasource_id))
  const both = answer.filter(({ datasource_id }) => ids.has(datasource_id))
  return answer.length === 0 ? 1 : both.length / answer.length
}

const mean = (values: number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

test(
  'what an index has not caught up with moves few fragments of an answer by words, and none that another life finds',
  { tags: 'deep' },
  async () => {
    const documents = 2_400
    const random = new Random(documents)
    const dataUri = await temporaryDirectory()
    let server = await openServer({ dataUri })
    const id = await makeDatastore(server.client)
    const samples = await storeSamples(server.client, id, documents / parts, random)
    const questions: QueryDatastore[] = Array.from({ length: 100 }, (_, n) => ({
      query: textOf(random),
      topK: random.pick([5, 20, 100]),
      mode: n % 2 === 0 ? KEYWORD : HYBRID,
      filters: n % 4 === 0 ? filtersOf(random, samples) : {},
    }))
    const askAll = (): Promise<Fragment[][]> =>
      Promise.all(questions.map((question) => query(server.client, id, question)))

    for (let part = 1; part < parts; part++) {
      await areIndexed(dataUri, id)
      for (const { id: datasourceId } of samples.splice(0, 10)) {
        await sdk.deleteDatasource({ client: server.client, path: { id, datasourceId } })
      }
      await storeSamples(server.client, id, documents / parts, random)
      const answers = await askAll()
      await areIndexed(dataUri, id)
      const caughtUp = await askAll()
      expect(caughtUp.map(({ length }) => length)).toEqual(answers.map(({ length }) => length))
      const overlaps = caughtUp.map((answer, index) => overlapOf(answer, answers[index]!))
      expect(mean(overlaps)).toBeGreaterThan(0.95)
      await server.close()
      server = await openServer({ dataUri })
      const again = (await askAll()).map((answer, index) => overlapOf(answer, caughtUp[index]!))
      expect(mean(again)).toBeGreaterThan(0.99)
    }
    await server.close()
  },
)

/** So many texts, each another, with some words none of them shares. */
const texts = (count: number, textOfNumber: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => textOfNumber(n))

/** As many documents as one request may have at a time. */
async function upsertAll(client: Client, id: string, all: string[]): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < all.length; n += 500) {
    ids.push(...(await upsert(client, id, ...all.slice(n, n + 500))))
  }
  return ids
}

test(
  'where vectors cannot be indexed a filter finds all that words do',
  { tags: 'deep' },
  async () => {
    const dataUri = await temporaryDirectory()
    const server = await openServer({ dataUri, provider: provider.settings })
    const { client } = server
    const id = await makeDatastore(client)
    await upsertAll(
      client,
      id,
      texts(2_100, (n) => `A letter ${n} lay there about herons.`),
    )
    const ids = () => unindexed(dataUri, id, 'custom_ids_idx')
    await expect.poll(ids, { timeout: 60_000, interval: 100 }).toBe(0)
    const metadata = { custom_id: 'new' }
    const later = texts(90, (n) => `The heron ${n} met herons.`).map((text) => ({ text, metadata }))
    await upsert(client, id, ...later)
    const ask = () =>
      query(client, id, { query: 'herons', mode: KEYWORD, filters: { custom_ids: ['new'] } })
    const answer = await ask()
    expect(answer.every(({ text }) => text.startsWith('The heron'))).toBe(true)
    expect(answer).toHaveLength(5)
    await areIndexed(dataUri, id)
    const found = await ask()
    expect(found.every(({ text }) => text.startsWith('The heron'))).toBe(true)
    expect(found).toHaveLength(5)
    await server.close()
  },
)
