import type { Table } from '@lancedb/lancedb'
import { expect, test } from 'vitest'
import { Jobs } from '../../../../src/store/table/jobs.ts'
import { RecentRows } from '../../../../src/store/fragments/recent-rows.ts'
import { IndexKeeper } from '../../../../src/store/table/index-keeper.ts'
import type { OpenTable } from '../../../../src/store/table/open-table.ts'

async function keeperOf(rows: number, unindexed: number): Promise<IndexKeeper> {
  const state = { hasWords: true, hasVectors: false, wordsUnindexed: unindexed, unindexed }
  const table: Partial<OpenTable> = { rows, read: async <T>() => state as T }
  const keeper = new IndexKeeper(table as OpenTable, new Jobs('/nowhere'), new RecentRows())
  await keeper.start()
  return keeper
}

test.each([
  [0, false],
  [1, true],
])(
  'with %i rows of an earlier life in no index, a table is worth a compaction at once: %s',
  async (unindexed, hasBacklog) => {
    expect((await keeperOf(1_000, unindexed)).hasBacklog(false)).toBe(hasBacklog)
  },
)

test.each([
  [100_000, 1_999, false, false],
  [100_000, 2_000, true, false],
  [100_000, 25_000, true, true],
  [1_000, 256, true, true],
])(
  'of %i rows, with %i written since, the words are indexed alone: %s; a compaction is due: %s',
  async (rows, written, hasWordBacklog, hasBacklog) => {
    const keeper = await keeperOf(rows, 0)
    keeper.rowsChanged(written, 0)
    expect([keeper.hasWordBacklog, keeper.hasBacklog(false)]).toEqual([hasWordBacklog, hasBacklog])
  },
)

test('indexes whose making failed are still to be made', async () => {
  const table: Partial<OpenTable> = {
    rows: 2_000,
    // Every index is missing.
    read: (look) => look({ listIndices: async () => [] } as unknown as Table),
    commit: async () => undefined as never,
    sync: async () => undefined,
    refresh: async () => undefined,
  }
  const jobs: Partial<Jobs> = { run: () => Promise.reject(new Error('The disk failed.')) }
  const keeper = new IndexKeeper(table as OpenTable, jobs as Jobs, new RecentRows())
  await keeper.start()
  await expect(keeper.build()).rejects.toThrow('The disk failed.')
  expect(keeper.isBuildDue(false)).toBe(true)
})
