import { connect, Index } from '@lancedb/lancedb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { Fragment, QueryDatastore } from '../../generated/types.gen.ts'
import { Random } from '../support/random.ts'
import { openServer, temporaryDirectory, type TestServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'
import {
  bestScores,
  faultsOf,
  filtersOf,
  matching,
  recallOf,
  type Sample,
  textOf,
} from './brute-force.ts'
import { storeSamples } from './samples.ts'

/** Enough for indexes. */
const documents = 2_600
const random = new Random(7)

let dataUri: string
let server: TestServer
let id: string
let samples: Sample[]

beforeAll(async () => {
  dataUri = await temporaryDirectory()
  server = await openServer({ dataUri })
  id = await makeDatastore(server.client)
  samples = await storeSamples(server.client, id, documents, random)
})

afterAll(() => server.close())

const allIndexes = ['custom_ids_idx', 'datasource_id_idx', 'labels_idx', 'vector_idx', 'words_idx']

async function indexes(): Promise<string[]> {
  const connection = await connect(dataUri)
  const table = await connection.openTable(`fragments_${id}`)
  const names = (await table.listIndices()).map(({ name }) => name).toSorted()
  connection.close()
  return names
}

const ask = (question: QueryDatastore): Promise<Fragment[]> =>
  query(server.client, id, { mode: 'vector', ...question })

const questions = (count: number, topK: number): QueryDatastore[] =>
  Array.from({ length: count }, () => ({ query: textOf(random), topK }))

test('a datastore that has become large is given indexes', async () => {
  await expect.poll(indexes).toEqual(allIndexes)
})

describe.each([10, 1, 100])('the nearest %i of many', (topK) => {
  const tags = topK === 10 ? [] : ['deep']
  test(
    'are found, with the scores of an exact search, alone and with others',
    { tags },
    async () => {
      const asked = questions(20, topK)
      const together = await Promise.all(asked.map(ask))
      let recall = 0
      for (const [index, question] of asked.entries()) {
        const answer = together[index]!
        expect(answer).toHaveLength(topK)
        const best = await bestScores(samples, question)
        recall += recallOf(answer, best) / asked.length
        expect(await ask(question)).toEqual(answer)
      }
      expect(recall).toBeGreaterThan(0.98)
    },
  )
})

test('filters leave out the others and nothing else, and an answer is full if as many match', async () => {
  for (let n = 0; n < 80; n++) {
    const topK = random.pick([1, 5, 10, 100])
    const question = { query: textOf(random), topK, filters: filtersOf(random, samples) }
    const matched = matching(samples, question)
    const answer = await ask(question)
    expect(answer, JSON.stringify(question)).toHaveLength(Math.min(topK, matched.length))
    const ids = new Set(matched.map((sample) => sample.id))
    expect(answer.filter(({ datasource_id }) => !ids.has(datasource_id))).toEqual([])
    // So few of so many are not where an index looks first.
    if (matched.length > topK) continue
    expect(faultsOf(answer, matched, await bestScores(matched, question))).toEqual([])
  }
})

test('what is written is found at once, and what it replaced or deleted no more', async () => {
  const { client } = server
  const path = { datastoreId: id }
  for (let n = 0; n < 4; n++) {
    const text = `The walrus ${n} hums by the glacier.`
    const [fresh = ''] = await upsert(client, id, text)
    const [found] = await Promise.all([ask({ query: text, topK: 3 }), ...questions(5, 5).map(ask)])
    expect(found[0]).toMatchObject({ datasource_id: fresh, text, score: 1 })
    const byWords = { query: `walrus ${n}`, topK: 1, mode: 'keyword' as const }
    expect(await ask(byWords)).toMatchObject([{ datasource_id: fresh, text }])
    const newer = `The narwhal ${n} whistles under the ice.`
    const old = random.pick(samples)
    samples = samples.filter((sample) => sample.id !== old.id)
    await sdk.updateDatasource({ client, path, body: { id: old.id, text: newer } })
    const [best] = await ask({ query: newer, topK: 1 })
    expect(best).toMatchObject({ datasource_id: old.id, text: newer, score: 1 })
    const byNewWords = { query: `narwhal ${n}`, topK: 5, mode: 'keyword' as const }
    expect((await ask(byNewWords))[0]).toMatchObject({ datasource_id: old.id, text: newer })
    const others = await ask({ query: old.text, topK: 100 })
    const itsOwn = others.filter(({ datasource_id: owner }) => owner === old.id)
    expect(itsOwn.map((fragment) => fragment.text)).not.toContain(old.text)
    const gone = { id, datasourceId: old.id }
    expect((await sdk.deleteDatasource({ client, path: gone })).response?.status).toBe(200)
    for (const question of [{ query: newer, topK: 5 }, byNewWords]) {
      expect((await ask(question)).map(({ text: one }) => one)).not.toContain(newer)
    }
    expect(
      (await sdk.deleteDatasource({ client, path: { id, datasourceId: fresh } })).response?.status,
    ).toBe(200)
  }
})

test(
  'what is written is found at once also while the indexes are brought up to date',
  { tags: 'deep' },
  async () => {
    const { client } = server
    let writing = true
    const write = async () => {
      for (let n = 0; n < 3; n++) {
        const more = await storeSamples(client, id, 500, random)
        samples = [...samples, ...more]
      }
      writing = false
    }
    const read = async () => {
      while (writing) {
        const known = random.pick(samples)
        const [best] = await ask({ query: known.text, topK: 1 })
        expect(best?.score).toBe(1)
      }
    }
    await Promise.all([write(), read(), read(), read()])
    let recall = 0
    for (const question of questions(20, 10)) {
      recall += recallOf(await ask(question), await bestScores(samples, question)) / 20
    }
    expect(recall).toBeGreaterThan(0.98)
  },
)

test('a large datastore answers the same after a restart', async () => {
  const asked = questions(20, 10)
  const before = await Promise.all(asked.map(ask))
  await server.close()
  server = await openServer({ dataUri })
  expect(await indexes()).toEqual(allIndexes)
  expect(await Promise.all(asked.map(ask))).toEqual(before)
  expect(server.logged.filter(({ level }) => Number(level) > 30)).toEqual([])
})

test(
  'an answer is full, too, where the index would have to look in more places than it does',
  { tags: 'deep' },
  async () => {
    await server.close()
    const connection = await connect(dataUri)
    const table = await connection.openTable(`fragments_${id}`)
    // So many that the places looked at hold fewer than `topK` of those that match.
    const config = Index.ivfRq({ distanceType: 'cosine', numBits: 4, numPartitions: 2_000 })
    await table.createIndex('vector', { config, name: 'vector_idx' })
    connection.close()
    server = await openServer({ dataUri })
    for (let n = 0; n < 40; n++) {
      const filters = { datasource_ids: Array.from({ length: 12 }, () => random.pick(samples).id) }
      const question = { query: textOf(random), topK: 10, filters }
      const matched = matching(samples, question)
      const answer = await ask(question)
      expect(faultsOf(answer, matched, await bestScores(matched, question))).toEqual([])
    }
  },
)

test(
  'a large datastore that was emptied answers with nothing, and no other waits for it',
  { tags: 'deep' },
  async () => {
    const { client } = server
    const id2 = await makeDatastore(client)
    await upsert(client, id2, 'The heron waits.')
    const filter = JSON.stringify({ type: 'ne', key: 'kept', value: true })
    const { data } = await sdk.deleteDatasources({ client, path: { id }, query: { filter } })
    expect(data?.deleted).toBe(samples.length)
    for (const restart of [false, true]) {
      if (restart) {
        await server.close()
        server = await openServer({ dataUri })
      }
      for (const mode of ['vector', 'keyword', 'hybrid'] as const) {
        expect(await query(server.client, id, { query: 'heron', mode })).toEqual([])
        const [found] = await query(server.client, id2, { query: 'heron', mode })
        expect(found?.text).toBe('The heron waits.')
      }
    }
  },
)
