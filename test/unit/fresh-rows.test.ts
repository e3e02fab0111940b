import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { FreshMemory } from '../../src/store/fresh-memory.ts'
import { FreshRows } from '../../src/store/fresh-rows.ts'
import type { DocumentVersion } from '../../src/store/rows.ts'
import { WordCounts } from '../../src/store/word-counts.ts'

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
/** Of five fragments three hold x, and one z. */
const counts = new WordCounts()
for (const words of ['x', 'x y', 'x z', 'y', 'y']) counts.add(Buffer.from(words))
function idsHolding(fresh: FreshRows, tokens: string, after = '0', filters = {}, limit = 9) {
  const sought = new Map(tokens.split(' ').map((token) => [token, 1]))
  const hits = fresh.holding(sought, counts, limit, filters, after)
  return hits.map(({ found }) => found.datasourceId)
}

test('what was written is found by its vector and its words, nearest and rarest first', () => {
  const fresh = recording('0')
  fresh.write([document('b', '2', 'x y'), document('a', '1', 'x')])
  fresh.write([document('c', '3', 'z y y y')])
  expect(idsNear(fresh)).toEqual(['a', 'b', 'c'])
  expect(idsNear(fresh, '1', {}, 1)).toEqual(['b'])
  expect(idsHolding(fresh, 'x', '0', {}, 1)).toEqual(['a'])
  expect(idsHolding(fresh, 'z x')).toEqual(['c', 'a', 'b'])
  expect(idsHolding(fresh, 'y')).toEqual(['c', 'b'])
  expect(idsHolding(fresh, 'y', '2')).toEqual(['c'])
  expect(idsHolding(fresh, 'none')).toEqual([])
})

test('what points the other way is found, too, where nothing else is nearer', () => {
  const fresh = recording('0')
  fresh.write([document('a', '1'), document('b', '2')])
  const away = fresh.nearest(Float32Array.of(-1, 0), 9, {}, '0')
  expect(away.map(({ datasourceId }) => datasourceId)).toEqual(['b', 'a'])
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

test('of many the nearest are found, and none that is gone', () => {
  const fresh = recording('0')
  const ids = Array.from({ length: 1000 }, (_, n) => `d${String(n).padStart(3, '0')}`)
  for (const [n, id] of ids.entries()) fresh.write([document(id, String(1 + ((n * 7) % 1000)))])
  const byTime = ids.toSorted(
    (a, b) => ((ids.indexOf(a) * 7) % 1000) - ((ids.indexOf(b) * 7) % 1000),
  )
  expect(idsNear(fresh, '0', {}, 20)).toEqual(byTime.slice(0, 20))
  fresh.remove(byTime.slice(0, 10))
  fresh.write([document(byTime[10]!, '9999')])
  expect(idsNear(fresh, '0', {}, 20)).toEqual(byTime.slice(11, 31))
  expect(idsNear(fresh, '0', {}, 2000)).toHaveLength(990)
})

test('a row that was wanted is told by its place, as it was written last', () => {
  const fresh = recording('0')
  const place = (datasourceId: string, position = 0) => ({ datasourceId, position })
  const at = (...where: Parameters<typeof place>) => fresh.wantedAt(place(...where))?.updatedAt
  fresh.write([document('a', '1'), document('b', '2'), document('c', '2')])
  fresh.want([place('a'), place('b'), place('d'), place('a', 1)])
  const none = undefined
  expect([at('a'), at('b'), at('c'), at('d'), at('a', 1)]).toEqual(['1', '2', none, none, none])
  fresh.write([document('a', '3')])
  expect(at('a')).toBeUndefined()
  fresh.want([place('a')])
  expect(at('a')).toBe('3')
  fresh.remove(['a'])
  fresh.keepAfter('2')
  expect([at('a'), at('b')]).toEqual([undefined, undefined])
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

test('of several tables those that were searched longest ago are forgotten where all take too much', () => {
  const memory = new FreshMemory(3 * 2 ** 20)
  const tables = Array.from({ length: 3 }, () => new FreshRows(memory))
  const [first, second, third] = tables as [FreshRows, FreshRows, FreshRows]
  const write = (rows: FreshRows) => {
    rows.record()
    rows.recorded('0')
    rows.write(Array.from({ length: 2_000 }, (_, n) => document(`d${n}`, '1')))
  }
  const known = () => tables.map(({ since }) => since)
  write(first)
  write(second)
  expect(known()).toEqual(['0', '0', undefined])
  idsNear(first)
  write(third)
  expect(known()).toEqual(['0', undefined, '0'])
  idsHolding(first, 'x')
  write(second)
  expect(known()).toEqual(['0', '0', undefined])
  // What was let go of has room for others.
  first.keepAfter('1')
  write(third)
  expect(known()).toEqual(['1', '0', '0'])
})

test('so many that their files are read as soon are forgotten', () => {
  const fresh = recording('0')
  for (let write = 0; write < 16; write++) {
    fresh.write(Array.from({ length: 2_048 }, (_, n) => document(`d${write} ${n}`, '1')))
  }
  expect(fresh.since).toBe('0')
  fresh.write([document('one more', '2')])
  expect(fresh.since).toBeUndefined()
})

const mebibyte = 2 ** 20

test.each([
  ['rows', Array.from({ length: 2_049 }, (_, n) => document(`d${n}`, '1'))],
  ['words', Array.from({ length: 33 }, (_, n) => document(`d${n}`, '1', 'x'.repeat(mebibyte)))],
])('so is a write of too many %s to be taken in at once, and of fewer none', (_, versions) => {
  const fresh = recording('0')
  fresh.write(versions.slice(1))
  expect(fresh.since).toBe('0')
  fresh.write(versions)
  expect(fresh.since).toBeUndefined()
})

const nothing = document('a', '1', '')
const fragment = nothing.fragments[0]!
/** Of 8 MiB each: 32 of them, and what else they take, are more than is held. */
const large: Record<string, DocumentVersion> = {
  words: { ...nothing, fragments: [{ ...fragment, words: Buffer.alloc(4 * mebibyte, 'x') }] },
  text: { ...nothing, fragments: [{ ...fragment, text: 'x'.repeat(4 * mebibyte) }] },
  vector: {
    ...nothing,
    fragments: [{ ...fragment, vector: new Float32Array(2 * mebibyte).fill(1) }],
  },
  name: { ...nothing, name: 'x'.repeat(4 * mebibyte) },
  source: { ...nothing, source: 'x'.repeat(4 * mebibyte) },
  'ids of the caller': { ...nothing, customIds: ['x'.repeat(4 * mebibyte)] },
}

test.each(Object.entries(large))('so is what takes much memory by its %s', (_, version) => {
  const fresh = recording('0')
  for (let n = 0; n < 31; n++) fresh.write([{ ...version, id: `d${n}` }])
  expect(fresh.since).toBe('0')
  fresh.write([version])
  expect(fresh.since).toBeUndefined()
})

test('so are as many that are gone, whose words would be held for ever', () => {
  const fresh = recording('0')
  for (let n = 0; n < 31; n++) fresh.write([large.words!])
  expect(idsNear(fresh)).toEqual(['a'])
  fresh.write([large.words!])
  expect(fresh.since).toBeUndefined()
})

test('so are twice as many that are gone, which searches go over', () => {
  const fresh = recording('0')
  for (let write = 0; write < 32; write++) {
    fresh.write(Array.from({ length: 2_048 }, () => document('a', '1')))
  }
  expect(idsNear(fresh)).toEqual(['a'])
  fresh.write([document('a', '2')])
  expect(fresh.since).toBeUndefined()
})

test('so are fewer whose numbers are held twice, to be compared at once', () => {
  const fresh = recording('0')
  // 251 MiB are not too many, but with a block of 10 MiB beside them.
  const vector = new Float32Array(2 ** 14).fill(1, 0, 2 ** 13)
  const name = 'x'.repeat(496_000)
  const sparse = { ...nothing, name, fragments: [{ ...fragment, vector }] }
  for (let n = 0; n < 255; n++) fresh.write([{ ...sparse, id: `d${n}` }])
  expect(fresh.since).toBe('0')
  fresh.write([sparse])
  expect(fresh.since).toBeUndefined()
})

test('what goes with its part is not counted any more', () => {
  const fresh = recording('0')
  for (let n = 1; n < 50; n++) {
    fresh.write([{ ...large.words!, updatedAt: String(n).padStart(3, '0') }])
    fresh.keepAfter(String(n).padStart(3, '0'))
    expect(fresh.since).toBeDefined()
  }
})

test('a fragment keeps no more of its document than itself', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const fresh = recording('0')
  const heap = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = heap()
  for (let n = 0; n < 20; n++) {
    const whole: string = JSON.parse(`"${'x'.repeat(4 * mebibyte)}"`)
    fresh.write([
      { ...nothing, id: `d${n}`, fragments: [{ ...fragment, text: whole.slice(0, 99) }] },
    ])
  }
  expect(heap() - before).toBeLessThan(20 * mebibyte)
  expect(idsNear(fresh, '0', {}, 99)).toHaveLength(20)
})
