import { beforeAll, describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { hostileIds } from '../support/hostile-ids.ts'
import { placesOf, send } from '../support/raw.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const { client, url } = await joinServer()

describe('200: ranking', () => {
  test('the most similar fragments come first, at most topK, 5 when absent', async () => {
    const id = await makeDatastore(client)
    await upsert(
      client,
      id,
      'The cat sleeps on the warm windowsill.',
      'Quarterly revenue grew by nine percent.',
      'A kitten naps in the sun by the window.',
      'The rocket engine burns liquid methane.',
      'Cats dislike cold water.',
      'Interest rates were left unchanged.',
    )
    const found = await query(client, id, { query: 'where does the cat sleep?' })
    expect(found).toHaveLength(5)
    expect(found[0]?.text).toBe('The cat sleeps on the warm windowsill.')
    const scores = found.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(await query(client, id, { query: 'cat', topK: 2 })).toHaveLength(2)
    expect(await query(client, id, { query: 'cat', mode: 'vector', topK: 100 })).toHaveLength(6)
  })

  test('by vector, the score is the cosine: 1 for the text itself', async () => {
    const id = await makeDatastore(client)
    await upsert(client, id, 'Plain words.', 'Something else entirely.')
    const [best, other] = await query(client, id, { query: 'Plain words.', mode: 'vector' })
    expect(best?.score).toBeCloseTo(1, 5)
    expect(other?.score).toBeLessThan(0.5)
  })

  test('equal scores stand in the order of datasource id, then of position', async () => {
    const id = await makeDatastore(client)
    for (let round = 0; round < 5; round++) await upsert(client, id, 'Twins.', 'Twins.')
    const ids = (await query(client, id, { query: 'twins', topK: 10 })).map((f) => f.datasource_id)
    expect(ids).toEqual(ids.toSorted())
  })

  test('equal scores within a datasource stand in the order of its text', async () => {
    const id = await makeDatastore(client)
    const words = Array.from({ length: 150 }, (_, n) => `word${n}`)
    const paragraphs = [words.join(' '), words.toReversed().join(' ')]
    await upsert(client, id, paragraphs.join('\n\n'))
    const found = await query(client, id, { query: 'word7', mode: 'vector' })
    expect(found[0]?.score).toBe(found[1]?.score)
    expect(found.map(({ text }) => text.trim())).toEqual(paragraphs)
  })

  test('any query that is not blank is answered', async () => {
    const id = await makeDatastore(client)
    await upsert(client, id, 'Words', '¿?', '😀', 'the of and', '图书馆')
    for (const text of ['the', '?!', '😀', '\u0000 x', '図', '42', "'", 'x'.repeat(8192)]) {
      expect(await query(client, id, { query: text, mode: 'vector' })).toHaveLength(5)
      expect((await query(client, id, { query: text })).length).toBeLessThanOrEqual(5)
    }
    const [best] = await query(client, id, { query: '图书馆在哪里' })
    expect(best?.text).toBe('图书馆')
  })

  test('what has nothing of the query is left out, except by vector', async () => {
    const id = await makeDatastore(client)
    await upsert(client, id, 'The library opens at nine.', 'Zebras graze.')
    const count = async (mode: 'hybrid' | 'keyword' | 'vector') =>
      (await query(client, id, { query: 'library', mode, minScore: -1 })).length
    expect([await count('hybrid'), await count('keyword'), await count('vector')]).toEqual([
      1, 1, 2,
    ])
  })

  test('an empty datastore answers with an empty list', async () => {
    expect(await query(client, await makeDatastore(client), { query: 'anything' })).toEqual([])
  })
})

describe('200: filters', () => {
  let id: string
  let ids: string[]
  beforeAll(async () => {
    id = await makeDatastore(client)
    ids = await upsert(
      client,
      id,
      { text: 'red apple', metadata: { custom_id: 'ann' } },
      { text: 'green apple', metadata: { custom_id: ['ann', 'bob'] } },
      { text: 'yellow apple', metadata: { custom_id: 'bob' } },
      { text: 'blue apple', metadata: { custom_id: 7 } },
      { text: 'black apple', metadata: { custom_id: ['ann', 7] } },
      { text: 'white apple' },
    )
  })
  const colours = async (filters: object) =>
    (await query(client, id, { query: 'apple', topK: 100, filters }))
      .map(({ text }) => text.split(' ')[0])
      .toSorted()

  test('any of a list, and of two lists', async () => {
    expect(await colours({ custom_ids: ['ann'] })).toEqual(['black', 'green', 'red'])
    expect(await colours({ custom_ids: ['ann', 'bob'] })).toEqual([
      'black',
      'green',
      'red',
      'yellow',
    ])
    expect(await colours({ datasource_ids: [ids[0], ids[5]] })).toEqual(['red', 'white'])
    expect(await colours({ custom_ids: ['bob'], datasource_ids: [ids[0], ids[1]] })).toEqual([
      'green',
    ])
  })

  test('a number is found by its text, also in a list', async () => {
    expect(await colours({ custom_ids: ['7'] })).toEqual(['black', 'blue'])
  })

  test('an empty list matches nothing, an absent one filters nothing', async () => {
    expect(await colours({ custom_ids: [] })).toEqual([])
    expect(await colours({ datasource_ids: [] })).toEqual([])
    expect(await colours({ custom_ids: ['ann'], datasource_ids: [] })).toEqual([])
    expect(await colours({})).toHaveLength(6)
  })

  test('unknown and hostile ids match nothing, a thousand of them too', async () => {
    expect(await colours({ custom_ids: ['unknown'] })).toEqual([])
    for (const hostile of hostileIds) {
      expect(await colours({ custom_ids: [hostile] })).toEqual([])
      expect(await colours({ datasource_ids: [hostile] })).toEqual([])
    }
    const thousand = Array.from(
      { length: 1000 },
      (_, n) => hostileIds[n % 16] + 'x'.repeat(n % 240) + n,
    )
    expect(await colours({ custom_ids: thousand })).toEqual([])
    expect(await colours({ datasource_ids: [...thousand.slice(1), ids[2]] })).toEqual(['yellow'])
  })

  test('hostile custom ids find exactly their own', async () => {
    const own = await makeDatastore(client)
    await upsert(
      client,
      own,
      ...hostileIds.map((custom_id, n) => ({ text: `text ${n}`, metadata: { custom_id } })),
    )
    for (const [n, custom_id] of hostileIds.entries()) {
      const filters = { custom_ids: [custom_id] }
      const found = await query(client, own, { query: 'text', topK: 100, filters })
      expect(found.map(({ text }) => text)).toEqual([`text ${n}`])
    }
  })

  test('topK is filled when that many match, however few of all they are', async () => {
    const own = await makeDatastore(client)
    const documents = Array.from({ length: 400 }, (_, n) => ({
      text:
        n % 80 === 7 ? `Nothing to do with it, number ${n}.` : `The opening hours, number ${n}.`,
      metadata: { custom_id: n % 80 === 7 ? 'few' : 'many' },
    }))
    await upsert(client, own, ...documents)
    const filters = { custom_ids: ['few'] }
    const body = { query: 'opening hours', filters }
    expect(await query(client, own, { ...body, topK: 5 })).toHaveLength(5)
    expect(await query(client, own, { ...body, topK: 4 })).toHaveLength(4)
  })
})

test('400: each bad part is named', async () => {
  const id = await makeDatastore(client)
  const places = async (body: object) =>
    placesOf(await send(url, 'POST', `/datastores/${id}/query`, { body: JSON.stringify(body) }))
  expect(await places({})).toEqual(['/query'])
  expect(await places({ query: '\t\n' })).toEqual(['/query'])
  expect(await places({ query: 'x'.repeat(8193) })).toEqual(['/query'])
  for (const topK of [0, 101, 1.5, '5', []]) {
    expect(await places({ query: 'x', topK })).toContain('/topK')
  }
  expect(await places({ query: 'x', filters: { custom_ids: 'a', other: [] } })).toEqual(
    expect.arrayContaining(['/filters/custom_ids', '/filters/other']),
  )
  const filters = {
    custom_ids: Array.from({ length: 1001 }, String),
    datasource_ids: ['x'.repeat(257)],
  }
  expect(await places({ query: 'x', filters })).toEqual(
    expect.arrayContaining(['/filters/custom_ids', '/filters/datasource_ids/0']),
  )
})

test('404: an unknown datastore, whatever its id', async () => {
  for (const id of ['dst_unknown', ...hostileIds.filter((hostile) => hostile !== '')]) {
    const body = { query: 'x' }
    const { response } = await sdk.queryDatastore({ client, path: { id }, body })
    expect(response?.status).toBe(404)
  }
})
