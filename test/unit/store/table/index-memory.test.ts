import { expect, test, vi } from 'vitest'
import { IndexMemory } from '../../../../src/store/table/table-handle.ts'

const mebibyte = 1024 * 1024

test('tables that were used longest ago let go of their indexes, so that all fit', () => {
  const memory = new IndexMemory(100 * mebibyte)
  // An index is taken for about half as large as its rows.
  const tables = Array.from({ length: 4 }, () => ({
    bytes: 60 * mebibyte,
    dropIndexes: vi.fn(() => Promise.resolve()),
  }))
  const [first, second, third, last] = tables as [(typeof tables)[0], ...typeof tables]
  for (const table of [first, second!, third!, first, last!]) memory.used(table)
  expect(tables.map(({ dropIndexes }) => dropIndexes.mock.calls.length)).toEqual([0, 1, 0, 0])
})

test('a table whose index is larger than all may be is used all the same', () => {
  const memory = new IndexMemory(mebibyte)
  const table = { bytes: 60 * mebibyte, dropIndexes: vi.fn(() => Promise.resolve()) }
  memory.used(table)
  memory.used(table)
  expect(table.dropIndexes).not.toHaveBeenCalled()
})
