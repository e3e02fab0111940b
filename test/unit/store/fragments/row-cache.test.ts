import type { Table } from '@lancedb/lancedb'
import { expect, test } from 'vitest'
import { RowCache } from '../../../../src/store/fragments/row-cache.ts'

const rowAt = (_rowid: bigint, more: object) => ({
  _rowid,
  datasource_id: 'one',
  position: Number(_rowid),
  fragment_count: 1,
  offset: 0,
  text: '',
  name: '',
  source: '',
  updated_at: '',
  vector: Float32Array.of(1),
  ...more,
})

/** A table that must not be read. */
const unread = {} as Table

test.each(['text', 'name', 'source'])(
  'rows with a long %s are not all remembered',
  async (long) => {
    const rows = new RowCache(1_000_000).forTable()
    const count = 100
    for (let n = 0; n < count; n++) rows.remember(rowAt(BigInt(n), { [long]: 'x'.repeat(16_000) }))
    const last = BigInt(count - 1)
    expect((await rows.read([last], unread)).get(last)?.position).toBe(count - 1)
    await expect(rows.read([0n], unread)).rejects.toThrow()
  },
)

test('rows of two tables at the same address are told apart', async () => {
  const cache = new RowCache()
  const [first, second] = [cache.forTable(), cache.forTable()]
  first.remember(rowAt(1n, { text: 'first' }))
  second.remember(rowAt(1n, { text: 'second' }))
  expect((await first.read([1n], unread)).get(1n)?.text).toBe('first')
  expect((await second.read([1n], unread)).get(1n)?.text).toBe('second')
})

test('rows are forgotten once they are read by another handle, after a compaction', async () => {
  const rows = new RowCache().forTable()
  rows.remember(rowAt(1n, {}))
  expect((await rows.read([1n], unread)).size).toBe(1)
  await expect(rows.read([1n], {} as Table)).rejects.toThrow()
})
