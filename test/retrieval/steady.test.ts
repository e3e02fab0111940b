import { connect } from '@lancedb/lancedb'
import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { type Fragment, type QueryDatastore, QueryMode } from '../../generated/types.gen.ts'
import { Random } from '../support/random.ts'
import { openServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'
import { filtersOf, textOf } from './brute-force.ts'
import { storeSamples } from './samples.ts'

const { VECTOR, KEYWORD, HYBRID } = QueryMode
const parts = 4

/** Settles when the index of words holds all rows. */
const areIndexed = (dataUri: string, id: string) =>
  expect.poll(() => unindexed(dataUri, id), { timeout: 60_000, interval: 100 }).toBe(0)

/** How many rows it does not hold yet. */
async function unindexed(dataUri: string, id: string): Promise<number> {
  const connection = await connect(dataUri)
  const table = await connection.openTable(`fragments_${id}`)
  const stats = await table.indexStats('words_idx')
  connection.close()
  return stats!.numUnindexedRows
}

// From 2,000 fragments on vectors are searched by an index, which does not find all.
const cases = [
  { documents: 900, modes: [VECTOR, KEYWORD, HYBRID] },
  { documents: 2_600, modes: [KEYWORD, HYBRID] },
]

test.each(cases)(
  'of $documents documents a query finds the same until the next write',
  async (given) => {
    const { documents, modes } = given
    const random = new Random(documents)
    const dataUri = await temporaryDirectory()
    let server = await openServer({ dataUri })
    const id = await makeDatastore(server.client)
    const samples = await storeSamples(server.client, id, documents / parts, random)
    const questions: QueryDatastore[] = Array.from({ length: 100 }, (_, n) => ({
      query: textOf(random),
      topK: random.pick([1, 5, 20, 100]),
      mode: modes[n % modes.length]!,
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
      expect(await askAll()).toEqual(answers)
      await server.close()
      server = await openServer({ dataUri })
      expect(await askAll()).toEqual(answers)
    }
    await server.close()
  },
  120_000,
)

const paragraph = (word: string) =>
  `There is a ${word} in it. ${'It says a few things more that each of them says. '.repeat(25)}`.trim()

test('a word that a deleted document was full of finds the few others that hold it, at once', async () => {
  const dataUri = await temporaryDirectory()
  const server = await openServer({ dataUri })
  const { client } = server
  const id = await makeDatastore(client)
  const full = Array.from({ length: 700 }, () => paragraph('zebra')).join('\n\n')
  const [datasourceId] = await upsert(client, id, full)
  const few = Array.from({ length: 20 }, () => paragraph('zebra'))
  await upsert(client, id, ...few)
  await upsert(client, id, ...Array.from({ length: 300 }, () => paragraph('violin')))
  await areIndexed(dataUri, id)
  await sdk.deleteDatasource({ client, path: { id, datasourceId: datasourceId! } })
  for (const mode of [KEYWORD, HYBRID]) {
    for (const topK of [5, 20]) {
      const answer = await query(client, id, { query: 'zebra violin', mode, topK })
      expect(answer.map(({ text }) => text)).toEqual(few.slice(0, topK))
    }
  }
  await server.close()
}, 120_000)
