import { expect, test } from 'vitest'
import { Deadline } from '../../src/deadline.ts'
import { tokensOf } from '../../src/domain/terms.ts'
import { lexical, wordsAlone } from '../../src/domain/ranking.ts'
import { findByWords } from '../../src/domain/word-search.ts'
import { FragmentSearch } from '../../src/store/fragment-search.ts'
import { FreshRows } from '../../src/store/fresh-rows.ts'
import { RowCache } from '../../src/store/row-cache.ts'
import { fragmentSchema, toTable } from '../../src/store/rows.ts'
import { SearchBudget } from '../../src/store/search-budget.ts'
import { WordCounts } from '../../src/store/word-counts.ts'
import { makeWordIndex } from '../../src/store/word-index.ts'
import { documentVersion } from '../support/document-version.ts'
import { indexed } from '../support/indexed-table.ts'
import { openDatabase, temporaryDirectory } from '../support/server.ts'

type Texts = Record<string, number>

/**
 * So many documents of each text, the first named first and written last, in a table whose index counts
 * also what is gone.
 */
async function openTable(texts: Texts, gone: Texts, hasFresh = false) {
  const counts = new WordCounts()
  const written = (some: Texts, name: string) =>
    Object.entries(some).flatMap(([text, times], kind) => {
      const words = Buffer.from(tokensOf(text))
      return Array.from({ length: times }, (_, n) => {
        if (name === 'here') counts.add(words)
        const version = documentVersion(`${name} ${kind} ${String(n).padStart(4, '0')}`)
        return { ...version, fragments: version.fragments.map((one) => ({ ...one, text, words })) }
      })
    })
  const versions = [...written(texts, 'here'), ...written(gone, 'gone')]
  const database = await openDatabase(await temporaryDirectory())
  const table = await database.createTable('fragments', fragmentSchema(2))
  await table.commit(1, (lance) => lance.add(toTable(versions.toReversed())))
  await table.commit(0, makeWordIndex)
  await table.commit(1, (lance) => lance.delete(`datasource_id LIKE 'gone%'`))
  const parts = { rows: new RowCache().forTable(), budget: new SearchBudget() }
  const search = new FragmentSearch(hasFresh ? indexed(table) : table, {
    ...parts,
    fresh: new FreshRows(),
  })
  const { at } = parts.rows
  parts.rows.at = (addresses, lance) => {
    reads.push([...addresses].length)
    return at.call(parts.rows, addresses, lance)
  }
  const searches: string[] = []
  const limits: number[] = []
  const reads: number[] = []
  const holding: FragmentSearch['holding'] = (query, deadline) => {
    const tokens = [...query.tokens.keys()]
    searches.push(tokens.filter((token) => !token.startsWith('#')).join(' '))
    limits.push(query.limit)
    return search.holding(query, deadline)
  }
  const find = async (query: string, signs = wordsAlone) => {
    const question = { query, topK: 5, filters: {} }
    const tableOf = {
      wordCounts: () => Promise.resolve(counts),
      holding,
      hasFresh,
      gone: Object.values(gone).reduce((sum, times) => sum + times, 0),
    }
    const { found } = await findByWords(tableOf, question, signs, new Deadline(60))
    const names = found.map(({ datasourceId }) => datasourceId)
    return {
      names,
      searches: searches.splice(0),
      limits: limits.splice(0),
      reads: reads.splice(0),
    }
  }
  return { find }
}

const isOfKind = (kind: number) => (name: string) => name.startsWith(`here ${kind} `)

const zebra = 'A zebra stood there.'
const violin = 'A violin lay there.'

test('one search is enough where its counts are those of now', async () => {
  const { find } = await openTable({ [zebra]: 30, [violin]: 300 }, {})
  const { names, searches } = await find('zebra stood')
  expect(searches).toEqual(['zebra stood'])
  expect(names.filter(isOfKind(0))).toHaveLength(30)
})

test('beside what is in no index twice as many are looked for, and as many read as it takes', async () => {
  const often = Array.from({ length: 120 }, (_, times) => ['violin '.repeat(times + 1), 1])
  const texts: Texts = Object.fromEntries(often)
  const [rested, fresh] = [await openTable(texts, {}), await openTable(texts, {}, true)]
  const before = await rested.find('violin')
  expect(before).toMatchObject({ limits: [52], reads: [52] })
  const { names, limits, reads } = await fresh.find('violin')
  expect({ names, limits, reads }).toEqual({ names: before.names, limits: [96], reads: [52] })
})

test('one search is enough where it finds all', async () => {
  const { find } = await openTable({ [zebra]: 5, [violin]: 20 }, { [zebra]: 100 })
  const { names, searches } = await find('zebra violin')
  expect(searches).toEqual(['zebra violin'])
  expect(names).toHaveLength(25)
})

test('a word that was frequent until most of what held it was deleted is rare at once', async () => {
  const { find } = await openTable({ [zebra]: 30, [violin]: 300 }, { [zebra]: 1_000 })
  const { names, searches } = await find('zebra violin')
  expect(names.slice(0, 30).every(isOfKind(0))).toBe(true)
  expect(names).toHaveLength(48)
  // Of what an index counts otherwise twice as many at once, then more, and more, until it was sure.
  expect(searches).toEqual(Array(3).fill('zebra violin'))
})

test('also where thousands come before by what the index counts', async () => {
  const { find } = await openTable({ [zebra]: 30, [violin]: 1_600 }, { [zebra]: 4_000 })
  const { names, searches } = await find('zebra violin')
  expect(names.slice(0, 30).every(isOfKind(0))).toBe(true)
  expect(names).toHaveLength(48)
  expect(searches.slice(-1)).toEqual(['zebra'])
})

const apart = 'A violin stood near red wood.'
const inARow = 'A violin red stood near wood.'

test.each([150, 1_200])(
  'of %s that hold the same words as often, those that have them in a row are found',
  async (many) => {
    const { find } = await openTable({ [apart]: many, [inARow]: 3 }, {})
    const { names } = await find('violin red')
    expect(names.slice(0, 3).every(isOfKind(1))).toBe(true)
    expect(names).toHaveLength(48)
  },
)

test('nor those that have them close together, where that counts', async () => {
  const far = 'A violin stood in a corner near that tall old red door.'
  const close = 'A violin near red stood in a corner that tall old door.'
  const { find } = await openTable({ [far]: 300, [close]: 1 }, {})
  expect((await find('violin red', lexical)).names[0]).toBe('here 1 0000')
  expect((await find('violin red')).names.some(isOfKind(1))).toBe(false)
})

test('of more that are alike those that stand first are compared', async () => {
  const { find } = await openTable({ [violin]: 1_700, [zebra]: 400 }, {})
  const { names, searches } = await find('violin')
  expect(searches).toEqual(Array(5).fill('violin'))
  expect(names).toEqual(
    Array.from({ length: 48 }, (_, n) => `here 0 ${String(n).padStart(4, '0')}`),
  )
})

test('the same of many alike are found for a rare word, whatever the index counts beside it', async () => {
  const texts = { [zebra]: 1_600, [violin]: 1_900 }
  const [before, after] = [await openTable(texts, { [zebra]: 2_000 }), await openTable(texts, {})]
  const { names, searches } = await before.find('zebra violin')
  expect(searches.slice(-2)).toEqual(['zebra', 'zebra'])
  expect(names).toEqual((await after.find('zebra violin')).names)
})
