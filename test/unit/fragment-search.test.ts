import type { Table } from '@lancedb/lancedb'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Deadline } from '../../src/deadline.ts'
import { FragmentSearch } from '../../src/store/fragment-search.ts'
import { FreshRows } from '../../src/store/fresh-rows.ts'
import type { Held } from '../../src/store/hits.ts'
import type { OpenTable } from '../../src/store/open-table.ts'
import { RowCache, type TableRows } from '../../src/store/row-cache.ts'
import { fragmentSchema, toTable } from '../../src/store/rows.ts'
import { SearchBudget } from '../../src/store/search-budget.ts'
import { WordCounts } from '../../src/store/word-counts.ts'
import { makeWordIndex } from '../../src/store/word-index.ts'
import { documentVersion } from '../support/document-version.ts'
import { indexed } from '../support/indexed-table.ts'
import { openDatabase, temporaryDirectory } from '../support/server.ts'

const vector = Float32Array.of(1, 0)

/** A table of two documents in files of their own, and the rows of it that are remembered. */
async function openTable() {
  const database = await openDatabase(await temporaryDirectory())
  const table = await database.createTable('fragments', fragmentSchema(2))
  for (const id of ['a', 'b'])
    await table.commit(1, (lance) => lance.add(toTable([documentVersion(id)])))
  await table.commit(0, makeWordIndex)
  return { table, rows: new RowCache().forTable() }
}

/** What holds a word. */
async function foundBy(search: FragmentSearch, word: string) {
  const sought = new Map([[word, 1]])
  const query = { tokens: sought, counts: new WordCounts(), limit: 9, filters: {} }
  const each = await search.holding(query, new Deadline(60))
  return each.flatMap(({ hits }) => hits.map(({ found }) => found))
}

const parts = () => ({ fresh: new FreshRows(), budget: new SearchBudget() })

/** What rows are read by their addresses from here on. */
async function readsOf(table: OpenTable) {
  const prototype: Table = await table.read(async (lance) => Object.getPrototypeOf(lance))
  const reads = vi.spyOn(prototype, 'takeRowIds')
  onTestFinished(() => reads.mockRestore())
  return reads
}

const merge = (lance: Table) => lance.optimize({ cleanupOlderThan: new Date() })

test('what is merged between a search and the reading of its rows is found all the same', async () => {
  const { table, rows } = await openTable()
  let missing = 0
  const mergedAway: Pick<TableRows, 'at' | 'remember'> = {
    at: async (addresses, lance) => {
      await merge(lance)
      const found = await rows.at(addresses, lance)
      missing += 2 - found.size
      return found
    },
    remember: (row) => rows.remember(row),
  }
  const search = new FragmentSearch(table, { ...parts(), rows: mergedAway as TableRows })
  const found = await search.nearest(vector, 5, {}, new Deadline(60))
  expect(found.map(({ text }) => text).toSorted()).toEqual(['Text a.', 'Text b.'])
  expect(missing).toBe(2)
})

test('so it is where its rows are read as far down as somebody goes', async () => {
  const { table, rows } = await openTable()
  let missing = 0
  const mergedAway: Pick<TableRows, 'at' | 'remember'> = {
    at: async (addresses, lance) => {
      if (missing === 0) await merge(lance)
      const found = await rows.at(addresses, lance)
      missing += [...addresses].length - found.size
      return found
    },
    remember: (row) => rows.remember(row),
  }
  const search = new FragmentSearch(indexed(table), { ...parts(), rows: mergedAway as TableRows })
  const [held] = await search.holding(
    {
      tokens: new Map([['text', 1]]),
      counts: new WordCounts(),
      limit: 9,
      filters: {},
      reading: { first: 1, isEnough: async () => false },
    },
    new Deadline(60),
  )
  const texts = held!.hits.map(({ found }) => found.text)
  expect(texts.toSorted()).toEqual(['Text a.', 'Text b.'])
  expect(missing).toBe(1)
})

test('what is remembered is what a search meant, though it was merged or deleted since', async () => {
  const { table, rows } = await openTable()
  const search = new FragmentSearch(table, { ...parts(), rows })
  const holding = () => foundBy(search, 'text')
  const before = await holding()
  expect(await holding()).toEqual(before)
  // The very same rows: nothing was read again.
  expect((await holding())[0]).toBe(before[0])
  await table.commit(1, (lance) => lance.delete("datasource_id = 'a'"))
  await table.commit(0, merge)
  expect((await holding()).map(({ text }) => text)).toEqual(['Text b.'])
})

test('what is remembered is not read again where files were merged', async () => {
  const { table, rows } = await openTable()
  const search = new FragmentSearch(table, { ...parts(), rows })
  const holding = () => foundBy(search, 'text')
  await holding()
  const reads = await readsOf(table)
  // More often than addresses are kept.
  for (const id of ['c', 'd', 'e']) {
    await table.commit(1, (lance) => lance.add(toTable([documentVersion(id)])))
    await table.commit(0, merge)
    await table.read((lance) => search.follow(lance))
    await holding()
  }
  // Of each that was added only itself.
  expect(reads.mock.calls.map(([addresses]) => addresses.length)).toEqual([1, 1, 1])
})

test('another version in the place of one that is remembered is read', async () => {
  const { table, rows } = await openTable()
  const search = new FragmentSearch(table, { ...parts(), rows })
  const holding = () => foundBy(search, 'text')
  await holding()
  const changed = documentVersion('a').fragments.map((one) => ({ ...one, text: 'Text of later.' }))
  await table.commit(1, async (lance) => {
    await lance.delete("datasource_id = 'a'")
    await lance.add(toTable([{ ...documentVersion('a'), fragments: changed, updatedAt: '2' }]))
  })
  await table.commit(0, merge)
  await table.read((lance) => search.follow(lance))
  expect((await holding()).map(({ text }) => text).toSorted()).toEqual([
    'Text b.',
    'Text of later.',
  ])
})

test('what was wanted while it was fresh is not read from the file it came into', async () => {
  const { table, rows } = await openTable()
  const fresh = new FreshRows()
  fresh.record()
  const search = new FragmentSearch(table, { ...parts(), rows, fresh })
  const holding = () => foundBy(search, 'text')
  const reads = await readsOf(table)
  await holding()
  const ids = ['c', 'd', 'e']
  const added = toTable(ids.map((id) => documentVersion(id)))
  await table.commit(1, (lance) => lance.add(added))
  await table.commit(0, merge)
  fresh.write([documentVersion('c'), { ...documentVersion('d'), updatedAt: 'later' }])
  // What nobody wants would drive out what others search.
  fresh.write([documentVersion('e')])
  fresh.want(['c', 'd'].map((datasourceId) => ({ datasourceId, position: 0 })))
  await table.read((lance) => search.follow(lance))
  fresh.forget()
  const found = await holding()
  expect(found.map(({ text }) => text).toSorted()).toEqual(
    ['a', 'b', ...ids].map((id) => `Text ${id}.`),
  )
  // Beside what nobody wanted that of which another version was fresh.
  expect(reads.mock.calls.map(([addresses]) => addresses.length)).toEqual([2, 2])
})

test('so it is where it is the first that is remembered', async () => {
  const { table, rows } = await openTable()
  const fresh = new FreshRows()
  fresh.record()
  fresh.write([documentVersion('a')])
  const search = new FragmentSearch(table, { ...parts(), rows, fresh })
  const reads = await readsOf(table)
  fresh.want([{ datasourceId: 'a', position: 0 }])
  await table.read((lance) => search.follow(lance))
  fresh.forget()
  expect(await foundBy(search, 'text')).toHaveLength(2)
  expect(reads.mock.calls.map(([addresses]) => addresses.length)).toEqual([1])
})

test('of what is fresh that is wanted which is worth as much as what the index found', async () => {
  const { table, rows } = await openTable()
  const fresh = new FreshRows()
  fresh.record()
  fresh.recorded('8')
  const textOf = (id: string, words: string) => ({
    ...documentVersion(id),
    updatedAt: '9',
    fragments: documentVersion(id).fragments.map((one) => ({ ...one, words: Buffer.from(words) })),
  })
  fresh.write([textOf('c', 'text'), textOf('d', `text ${'other '.repeat(40)}`)])
  const counts = new WordCounts()
  for (let n = 0; n < 4; n++) counts.add(Buffer.from('text'))
  const fewer = { ...indexed(table), wordsUntil: '8', readIndexed: indexed(table).read }
  const search = new FragmentSearch(fewer as unknown as OpenTable, { ...parts(), rows, fresh })
  const query = { tokens: new Map([['text', 1]]), counts, limit: 2, filters: {} }
  const held = await search.holding(query, new Deadline(60))
  expect(held.map(({ hits }) => hits.length)).toEqual([2, 2])
  const isWanted = (datasourceId: string) => fresh.wantedAt({ datasourceId, position: 0 })
  expect(held[1]!.hits[1]!.value).toBeLessThan(held[0]!.others)
  expect(isWanted('d')).toBeUndefined()
  await search.holding({ ...query, limit: 9 }, new Deadline(60))
  expect([isWanted('c'), isWanted('d')]).not.toContain(undefined)
})

test('rows are read as far down as somebody goes', async () => {
  const { table, rows } = await openTable()
  const ids = Array.from({ length: 100 }, (_, place) => `c${place}`)
  await table.commit(1, (lance) => lance.add(toTable(ids.map((id) => documentVersion(id)))))
  await table.commit(0, makeWordIndex)
  const search = new FragmentSearch(indexed(table), { ...parts(), rows })
  const reads = await readsOf(table)
  const read = async (limit: number, enough: number) => {
    const isEnough = vi.fn(async ({ hits }: Held) => hits.length >= enough)
    const query = { tokens: new Map([['text', 1]]), counts: new WordCounts(), limit, filters: {} }
    const held = await search.holding(
      { ...query, reading: { first: 20, isEnough } },
      new Deadline(60),
    )
    expect(held).toHaveLength(1)
    const lengths = reads.mock.calls.splice(0).map(([addresses]) => addresses.length)
    return { ...held[0]!, asked: isEnough.mock.calls.length, lengths }
  }
  const first = await read(90, 30)
  expect(first).toMatchObject({ asked: 2, lengths: [20, 16] })
  expect(first.hits).toHaveLength(36)
  expect(first.others).toBe(first.hits.at(-1)!.value)
  const more = await read(90, 999)
  expect(more).toMatchObject({ asked: 3, lengths: [32, 22] })
  expect(more.hits).toHaveLength(90)
  expect(more.hits.slice(0, 36)).toEqual(first.hits)
  const all = await read(200, 999)
  expect(all.hits).toHaveLength(102)
  expect(all.others).toBe(0)
})

test('what comes into the index while that is searched is found by its time', async () => {
  const { table, rows } = await openTable()
  let asked = 0
  // The index holds nothing of it when it is searched, and all of it when that is over.
  const indexing = {
    read: <T>(query: (lance: Table) => Promise<T>) => table.read(query),
    indexedUntil: '0',
    get hasFresh() {
      return asked++ === 0
    },
    mayMiss: false,
    bytesToSearch: 0,
  }
  const search = new FragmentSearch(indexing as unknown as OpenTable, { ...parts(), rows })
  const found = await search.nearest(vector, 5, {}, new Deadline(60))
  expect(found.map(({ text }) => text).toSorted()).toEqual(['Text a.', 'Text b.'])
})

test('what was fresh as a search began, and is in the index as it ends, is found', async () => {
  const { rows } = await openTable()
  const fresh = new FreshRows()
  fresh.record()
  fresh.recorded('0')
  fresh.write([documentVersion('a')])
  const [found] = fresh.nearest(vector, 1, {}, '0')
  let searches = 0
  const renewed = {
    indexedUntil: '0',
    async readIndexed() {
      if (++searches > 1) return [[found]]
      this.indexedUntil = '1'
      fresh.keepAfter('1')
      return [[]]
    },
    mayMiss: false,
    bytesToSearch: 0,
  }
  const search = new FragmentSearch(renewed as unknown as OpenTable, {
    rows,
    fresh,
    budget: new SearchBudget(),
  })
  const deadline = new Deadline(60)
  expect(await search.nearest(vector, 5, {}, deadline)).toEqual([found])
  expect(searches).toBe(2)
})
