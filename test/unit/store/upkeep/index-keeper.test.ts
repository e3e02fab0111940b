import { expect, test } from 'vitest'
import { Jobs } from '../../../../src/store/upkeep/jobs.ts'
import { IndexKeeper } from '../../../../src/store/upkeep/index-keeper.ts'
import type { OpenTable } from '../../../../src/store/table/open-table.ts'

test.each([
  [0, false],
  [1, true],
])(
  'with %i rows of an earlier life in no index, a table is worth a compaction at once: %s',
  async (unindexed, isBehind) => {
    const state = { hasWords: true, hasVectors: false, unindexed }
    const table: Partial<OpenTable> = { rows: 1_000, read: async <T>() => state as T }
    const keeper = new IndexKeeper(table as OpenTable, new Jobs('/nowhere'))
    await keeper.start()
    expect(keeper.isBehind(false)).toBe(isBehind)
  },
)
