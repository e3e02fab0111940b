import { expect, test } from 'vitest'
import { Direction } from '../../src/direction.ts'
import { choose } from '../../src/domain/choice.ts'
import { queryTokens } from '../../src/domain/query-tokens.ts'
import { soughtTokens } from '../../src/domain/sought-tokens.ts'
import { tokensOf } from '../../src/domain/terms.ts'
import { TextMatcher } from '../../src/domain/text-match.ts'
import { Deadline } from '../../src/deadline.ts'
import { Best } from '../../src/store/best.ts'
import { FragmentSearch } from '../../src/store/fragment-search.ts'
import { FreshRows } from '../../src/store/fresh-rows.ts'
import type { Found } from '../../src/store/hits.ts'
import { RowCache } from '../../src/store/row-cache.ts'
import { fragmentSchema, toTable } from '../../src/store/rows.ts'
import { SearchBudget } from '../../src/store/search-budget.ts'
import { WordCounts } from '../../src/store/word-counts.ts'
import { makeWordIndex } from '../../src/store/word-index.ts'
import { textOf } from '../retrieval/brute-force.ts'
import { documentVersion } from '../support/document-version.ts'
import { Random } from '../support/random.ts'
import { openDatabase, temporaryDirectory } from '../support/server.ts'

const found = (datasourceId: string): Found => ({
  datasourceId,
  position: 0,
  text: datasourceId,
  name: '',
  source: '',
  updatedAt: '',
  direction: new Direction(Float32Array.of(1)),
})

type Hits = [name: string, value: number, worth: number][]

/** Chooses two of hits given as `[name, value, worth]`, the best first. */
const chooseTwo = (hits: Hits, others: number, isMixed = false) =>
  chooseTwoOf([hits, others, isMixed])

/** The same of what several found. */
async function chooseTwoOf(...each: [hits: Hits, others: number, isMixed?: boolean][]) {
  const worths = new Map(each.flatMap(([hits]) => hits.map(([name, , worth]) => [name, worth])))
  const compared: string[] = []
  const held = each.map(([hits, others, isMixed = false]) => ({
    isMixed,
    hits: hits.map(([name, value]) => ({ found: found(name), value })),
    others,
  }))
  const worth = ({ text }: Found) => {
    compared.push(text)
    return worths.get(text)!
  }
  const best = new Best(2)
  const isSure = await choose(held, best, worth, () => Promise.resolve())
  const chosen = best.found.map(({ text }) => text)
  return { chosen, least: best.least, isSure, compared: compared.join('') }
}

test('where both measures are one, what comes first is the best, and no more is compared', async () => {
  const hits: Hits = [
    ['a', 9, 9],
    ['b', 8, 8],
    ['c', 7, 7],
  ]
  expect(await chooseTwo(hits, 6)).toEqual({
    chosen: ['a', 'b'],
    least: 8,
    isSure: true,
    compared: 'ab',
  })
})

test('where they differ, so many are compared as could be better then', async () => {
  const hits: Hits = [
    ['a', 10, 9],
    ['b', 9, 8],
    ['c', 8, 9],
    ['d', 6, 6],
  ]
  const chosen = { chosen: ['a', 'c'], isSure: true, compared: 'abc' }
  expect(await chooseTwo(hits, 5)).toMatchObject(chosen)
  // The third differs by an eighth, so that one of 7.5 may be worth 9.4.
  expect(await chooseTwo(hits.slice(0, 3), 7.5)).toMatchObject({ isSure: false })
  expect(await chooseTwo(hits.slice(0, 3), 7)).toMatchObject({ isSure: true })
})

test('of those that are worth the same there is what stands first, and others may be the same', async () => {
  const hits: Hits = [
    ['c', 5, 5],
    ['b', 5, 5],
    ['a', 5, 5],
  ]
  const chosen = { chosen: ['a', 'b'], least: 5 }
  const unsure = { ...chosen, isSure: false, compared: 'cba' }
  expect(await chooseTwo(hits, 5)).toMatchObject(unsure)
  // As 32 bits count.
  expect(await chooseTwo(hits, 4.9999)).toMatchObject(unsure)
  expect(await chooseTwo(hits, 4.9)).toMatchObject({ ...chosen, isSure: true })
})

test('where all was found it is sure, however few there are', async () => {
  const one = { chosen: ['a'], least: 0, isSure: true, compared: 'a' }
  expect(await chooseTwo([['a', 5, 1]], 0)).toEqual(one)
  expect(await chooseTwo([], 0)).toMatchObject({ chosen: [], isSure: true })
  expect(await chooseTwo([['a', 5, 1]], 5)).toMatchObject({ isSure: false })
})

test('by how much an index differs is seen of what it found, however much else is as good as it says', async () => {
  const fresh: Hits = [
    ['x', 9, 9],
    ['y', 8, 8],
    ['z', 7, 7],
  ]
  const behind: Hits = [
    ['a', 3, 12],
    ['b', 2, 8.5],
    ['c', 1, 4],
  ]
  expect(await chooseTwoOf([behind, 1], [fresh, 7])).toEqual({
    chosen: ['a', 'x'],
    least: 9,
    isSure: true,
    compared: 'abx',
  })
  // What is not among them may be worth 7.5 times what the index says.
  expect(await chooseTwoOf([behind.slice(0, 2), 1.5], [fresh, 7])).toMatchObject({ isSure: false })
  expect(await chooseTwoOf([behind.slice(0, 2), 1.1], [fresh, 7])).toMatchObject({ isSure: true })
  // Of what is fresh more could be as good, whatever the index found.
  expect(await chooseTwoOf([behind, 0], [fresh.slice(0, 1), 9])).toMatchObject({ isSure: false })
})

test('of what is mixed all are compared, for the next may differ in another way', async () => {
  const mixed: Hits = [
    ['a', 9, 8],
    ['b', 8, 7],
    ['c', 2, 9],
  ]
  expect(await chooseTwo(mixed, 0)).toMatchObject({ chosen: ['a', 'b'], compared: 'ab' })
  expect(await chooseTwo(mixed, 0, true)).toMatchObject({
    chosen: ['c', 'a'],
    isSure: true,
    compared: 'abc',
  })
})

test('LanceDB, what is fresh and the ranking measure words alike', async () => {
  const random = new Random(5)
  // Also one without a token.
  const texts = [
    '',
    ...Array.from({ length: 400 }, () => textOf(random).repeat(random.pick([1, 2]))),
  ]
  const counts = new WordCounts()
  const fresh = new FreshRows()
  fresh.record()
  const versions = texts.map((text, n) => {
    const version = documentVersion(`d${n}`)
    const words = Buffer.from(tokensOf(text))
    counts.add(words)
    return { ...version, fragments: version.fragments.map((one) => ({ ...one, text, words })) }
  })
  fresh.write(versions)
  const database = await openDatabase(await temporaryDirectory())
  const table = await database.createTable('fragments', fragmentSchema(2))
  await table.commit(1, (lance) => lance.add(toTable(versions)))
  await table.commit(0, makeWordIndex)
  const parts = { rows: new RowCache().forTable(), budget: new SearchBudget() }
  const search = new FragmentSearch(table, { ...parts, fresh: new FreshRows() })
  for (let n = 0; n < 50; n++) {
    const tokens = queryTokens(textOf(random), counts)
    const sought = soughtTokens(tokens)
    const matcher = new TextMatcher(tokens, sought, counts)
    const query = { tokens: sought, counts, limit: 400, filters: {} }
    const [indexed] = await search.holding(query, new Deadline(60))
    const held = fresh.holding(sought, counts, 400, {}, '0')
    expect(held).toHaveLength(indexed!.hits.length)
    expect(held.length).toBeGreaterThan(100)
    const values = new Map(held.map(({ found: one, value }) => [one.datasourceId, value]))
    for (const { found: one, value } of indexed!.hits) {
      const own = matcher.match(one.text).sought
      expect(Math.abs(value / own - 1)).toBeLessThan(0.0001)
      expect(Math.abs(values.get(one.datasourceId)! / own - 1)).toBeLessThan(1e-9)
    }
  }
})
