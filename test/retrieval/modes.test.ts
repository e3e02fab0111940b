import { beforeAll, describe, expect, test } from 'vitest'
import type { Fragment, QueryDatastore } from '../../generated/types.gen.ts'
import { hostileIds } from '../support/hostile-ids.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const { client } = await joinServer()

const textsOf = (fragments: Fragment[]): string[] => fragments.map(({ text }) => text).toSorted()

describe.each(['hybrid', 'vector', 'keyword'] as const)('filters by %s', (mode) => {
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
      { text: 'blue apple', metadata: { custom_id: ['ann'] } },
      { text: 'white apple' },
    )
  })
  const colours = async (filters: object) =>
    textsOf(await query(client, id, { query: 'apple', topK: 100, mode, filters })).map(
      (text) => text.split(' ')[0],
    )

  test('any of a list, and of two lists', async () => {
    expect(await colours({})).toHaveLength(5)
    expect(await colours({ custom_ids: ['ann'] })).toEqual(['blue', 'green', 'red'])
    expect(await colours({ custom_ids: ['bob', 'none'] })).toEqual(['green', 'yellow'])
    expect(await colours({ datasource_ids: [ids[0], ids[4]] })).toEqual(['red', 'white'])
    const both = { custom_ids: ['bob'], datasource_ids: [ids[0], ids[1]] }
    expect(await colours(both)).toEqual(['green'])
  })

  test('an empty list matches nothing', async () => {
    expect(await colours({ custom_ids: [] })).toEqual([])
    expect(await colours({ datasource_ids: [] })).toEqual([])
    expect(await colours({ custom_ids: ['ann'], datasource_ids: [] })).toEqual([])
    expect(await colours({ custom_ids: [], datasource_ids: ids })).toEqual([])
  })

  const tags = mode === 'hybrid' ? [] : ['deep']
  test('hostile ids find exactly their own', { tags }, async () => {
    const own = await makeDatastore(client)
    const documents = hostileIds.map((custom_id, n) => ({
      text: `text ${n}`,
      metadata: { custom_id },
    }))
    await upsert(client, own, ...documents)
    for (const [n, hostile] of hostileIds.entries()) {
      const find = (filters: object) =>
        query(client, own, { query: 'text', topK: 100, mode, filters })
      expect(textsOf(await find({ custom_ids: [hostile] }))).toEqual([`text ${n}`])
      expect(await find({ datasource_ids: [hostile] })).toEqual([])
    }
  })

  test('what matches is found among many that would be better', async () => {
    const own = await makeDatastore(client)
    const documents = Array.from({ length: 400 }, (_, n) => {
      const isOne = n % 80 === 7
      return {
        text: isOne ? `Open to nobody, number ${n}.` : 'The opening hours of the library.',
        metadata: { custom_id: isOne ? 'few' : 'many' },
      }
    })
    await upsert(client, own, ...documents)
    const body = { query: 'opening hours of the library', mode }
    for (const topK of [4, 5, 6]) {
      const filters = { custom_ids: ['few'] }
      const found = await query(client, own, { ...body, topK, filters })
      expect(found).toHaveLength(Math.min(5, topK))
      for (const { text } of found) expect(text).toMatch(/^Open to nobody/)
    }
  })
})

describe('how many are found', () => {
  const topK = 7
  const stored = [
    'The bees make honey.',
    'Foxes sleep in a den.',
    'Bread is made of flour.',
    '图书馆早上九点开门。',
    'Der Zug fährt um 9 Uhr ab.',
    'Paragraph 42 of the law.',
    '¿?',
    '😀',
    'the of and',
    'x = y',
  ]
  const asked = {
    'a word that one has': 'bee',
    'a word that none has': 'zygote',
    'stop words': 'the of and it',
    symbols: '?! …',
    digits: '42 1999',
    emoji: '😀',
    'another script': 'Пчёлы',
    'a NUL byte': '?\u0000',
  }
  let id: string
  beforeAll(async () => {
    id = await makeDatastore(client)
    const inSix = (text: string, n: number) => ({
      text,
      metadata: { custom_id: n < topK ? 'seven' : 'others' },
    })
    await upsert(client, id, ...stored.map(inSix))
  })

  test.each(Object.entries(asked))('by vector topK, whatever is asked: %s', async (_, text) => {
    const body = { query: text, mode: 'vector' } as const
    for (const most of [1, topK, stored.length, 100]) {
      const found = await query(client, id, { ...body, topK: most })
      expect(found).toHaveLength(Math.min(most, stored.length))
      expect(new Set(textsOf(found)).size).toBe(found.length)
    }
    const filters = { custom_ids: ['seven'] }
    const found = await query(client, id, { ...body, topK, filters })
    expect(textsOf(found)).toEqual(stored.slice(0, topK).toSorted())
  })

  test.each(Object.entries(asked))('by hybrid all that score above 0: %s', async (_, text) => {
    const find = (fields: Partial<QueryDatastore>) => query(client, id, { query: text, ...fields })
    const all = await find({ topK: 100 })
    expect(all.filter(({ score }) => score <= 0)).toEqual([])
    expect(await find({ topK: 100, minScore: -1 })).toEqual(all)
    for (const most of [1, topK]) {
      expect(await find({ topK: most })).toHaveLength(Math.min(most, all.length))
    }
    const byWords = textsOf(await find({ topK: 100, mode: 'keyword' }))
    expect(textsOf(all)).toEqual(expect.arrayContaining(byWords))
  })

  test('by keyword: those that share a word or a piece of one, and no other', async () => {
    const find = async (text: string, fields: Partial<QueryDatastore> = {}) =>
      textsOf(await query(client, id, { query: text, mode: 'keyword', topK: 100, ...fields }))
    expect(await find('bees')).toEqual(['The bees make honey.'])
    expect(await find('beekeeping')).toEqual(['The bees make honey.'])
    expect(await find('bred')).toEqual(['Bread is made of flour.'])
    expect(await find('making of honey')).toEqual([
      'Bread is made of flour.',
      'Paragraph 42 of the law.',
      'The bees make honey.',
      'the of and',
    ])
    expect(await find('图书馆在哪里')).toEqual(['图书馆早上九点开门。'])
    expect(await find('42')).toEqual(['Paragraph 42 of the law.'])
    expect(await find('😀')).toEqual(['😀'])
    expect(await find('=')).toEqual(['x = y'])
    for (const text of ['zygote', '?!', '🐝', '≠', '?\u0000', 'Пчёлы']) {
      expect(await find(text), text).toEqual([])
    }
    expect(await find('bees', { filters: { custom_ids: ['others'] } })).toEqual([])
  })

  test('by keyword, topK of those that share a word, however many do', async () => {
    const own = await makeDatastore(client)
    await upsert(client, own, ...Array.from({ length: 150 }, (_, n) => `Bee number ${n}.`))
    for (const most of [1, 47, 48, 49, 100]) {
      const found = await query(client, own, { query: 'bee', mode: 'keyword', topK: most })
      expect(found).toHaveLength(most)
    }
  })
})

describe('a query as long as may be', () => {
  const most = 8192
  const book = Array.from({ length: 4000 }, (_, n) => `word${(n * 7919) % 3001}`).join(' ')
  const signs = String.fromCodePoint(...Array.from({ length: most }, (_, n) => 0x4e00 + n))
  const asked = {
    words: book.slice(0, most),
    'one word over and over': 'honey '.repeat(most).slice(0, most),
    'one-letter words': 'a b c d '.repeat(most).slice(0, most),
    'Chinese characters': signs,
    'one Chinese character': '蜜'.repeat(most),
    'one word': 'x'.repeat(most),
    'one word of many letters': Array.from({ length: 4096 }, (_, n) => n.toString(36))
      .join('')
      .slice(0, most),
    symbols: '?'.repeat(most),
  }
  let id: string
  beforeAll(async () => {
    id = await makeDatastore(client)
    await upsert(client, id, 'Honey: a, b, c.', '蜜蜂做蜂蜜', 'xxxx', book, signs, 'x'.repeat(most))
  })

  test.each(Object.entries(asked))('%s', async (_, text) => {
    expect(text).toHaveLength(most)
    for (const mode of ['hybrid', 'vector'] as const) {
      expect(await query(client, id, { query: text, mode })).toHaveLength(5)
    }
    const byWords = await query(client, id, { query: text, mode: 'keyword' })
    expect(byWords.length > 0).toBe(text !== asked.symbols)
  })
})
