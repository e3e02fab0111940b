import { expect, test } from 'vitest'
import { FreshRows } from '../../src/store/fresh-rows.ts'
import type { DocumentVersion } from '../../src/store/rows.ts'

const document = (id: string, updatedAt: string, words = id, customIds: string[] = []) =>
  ({
    id,
    batch: id,
    name: id,
    metadata: null,
    source: '',
    customIds,
    digest: null,
    createdAt: updatedAt,
    updatedAt,
    fragments: [
      {
        offset: 0,
        text: `Text of ${id} at ${updatedAt}.`,
        words: Buffer.from(words),
        vector: Float32Array.of(1, Number(updatedAt)),
      },
    ],
  }) satisfies DocumentVersion

function recording(newest: string) {
  const fresh = new FreshRows()
  fresh.record()
  fresh.recorded(newest)
  return fresh
}

const near = Float32Array.of(1, 0)
const idsNear = (fresh: FreshRows, after = '0', filters = {}, limit = 9) =>
  fresh.nearest(near, limit, filters, after).map(({ datasourceId }) => datasourceId)
const idsHolding = (fresh: FreshRows, tokens: string, after = '0', filters = {}, limit = 9) =>
  fresh.holding(tokens, limit, filters, after).map(({ datasourceId }) => datasourceId)

test('what was written is found by its vector and its words, nearest and rarest first', () => {
  const fresh = recording('0')
  fresh.write([document('b', '2', 'x y'), document('a', '1', 'x')])
  fresh.write([document('c', '3', 'x z')])
  expect(idsNear(fresh)).toEqual(['a', 'b', 'c'])
  expect(idsNear(fresh, '1', {}, 1)).toEqual(['b'])
  expect(idsHolding(fresh, 'z z x')).toEqual(['c', 'a', 'b'])
  expect(idsHolding(fresh, 'x', '2')).toEqual(['c'])
  expect(idsHolding(fresh, 'none')).toEqual([])
})

test('of a document there is the version written last, and none once it is deleted', () => {
  const fresh = recording('0')
  fresh.write([document('a', '1', 'old'), document('b', '2', 'old')])
  expect(idsHolding(fresh, 'old')).toEqual(['a', 'b'])
  fresh.write([document('a', '3', 'new')])
  expect([idsHolding(fresh, 'old'), idsHolding(fresh, 'new')]).toEqual([['b'], ['a']])
  expect(fresh.nearest(near, 9, {}, '0').map(({ text }) => text)).toEqual([
    'Text of b at 2.',
    'Text of a at 3.',
  ])
  fresh.remove(['a', 'none'])
  expect([idsHolding(fresh, 'new'), idsNear(fresh)]).toEqual([[], ['b']])
})

test('filters match ids, and any of the ids of its customers', () => {
  const fresh = recording('0')
  fresh.write([document('a', '1', 'x', ['ann', 'bob']), document('b', '2', 'x', [])])
  expect(idsNear(fresh, '0', { customIds: ['bob', 'cid'] })).toEqual(['a'])
  expect(idsHolding(fresh, 'x', '0', { datasourceIds: ['b'] })).toEqual(['b'])
  expect(idsNear(fresh, '0', { datasourceIds: ['b'], customIds: ['ann'] })).toEqual([])
  expect(idsNear(fresh, '0', { datasourceIds: [] })).toEqual([])
})

test('since when all is there is known from the first record on, until it is forgotten', () => {
  const fresh = new FreshRows()
  fresh.write([document('a', '1')])
  fresh.recorded('1')
  expect([fresh.since, idsNear(fresh)]).toEqual([undefined, []])
  fresh.record()
  fresh.write([document('b', '2')])
  fresh.recorded('1')
  fresh.recorded('2')
  expect([fresh.since, idsNear(fresh)]).toEqual(['1', ['b']])
  fresh.write([document('c', '3')])
  fresh.keepAfter('2')
  expect([fresh.since, idsNear(fresh), idsHolding(fresh, 'b c')]).toEqual(['2', ['c'], ['c']])
  fresh.keepAfter('1')
  expect(fresh.since).toBe('2')
  fresh.forget()
  expect([fresh.since, idsNear(fresh)]).toEqual([undefined, []])
})

/** Of some 7 MiB in memory: 32 of them are more than is held. */
const large = (id: string, updatedAt: string) => document(id, updatedAt, 'x'.repeat(7 * 2 ** 19))

test('so many that their files are read as soon are forgotten', () => {
  const fresh = recording('0')
  for (let n = 0; n < 31; n++) fresh.write([large(`d${n}`, '1')])
  expect(fresh.since).toBe('0')
  fresh.write([large('one more', '2')])
  expect(fresh.since).toBeUndefined()
})

test('so are as many that are gone, whose words would be held for ever', () => {
  const fresh = recording('0')
  for (let n = 0; n < 31; n++) fresh.write([large('a', '1')])
  expect(idsNear(fresh)).toEqual(['a'])
  fresh.write([large('a', '2')])
  expect(fresh.since).toBeUndefined()
})
