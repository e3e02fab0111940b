import { afterEach, expect, test, vi } from 'vitest'
import { WordCounts } from '../../src/store/word-counts.ts'
import { WordKeeper } from '../../src/store/word-keeper.ts'

afterEach(() => vi.useRealTimers())

const encode = (words: string) => new TextEncoder().encode(words)

/** A table of words, each row a fragment, that can be held up while it is read. */
function source(rows: string[], isShared = false) {
  let scans = 0
  let held = Promise.resolve()
  const keeper = new WordKeeper({
    isShared,
    between: (begin) => begin(),
    scan: async (each) => {
      scans += 1
      const [first, ...others] = [...rows]
      if (first === undefined) return
      await each([encode(first)])
      await held
      await each(others.map(encode))
    },
  })
  return { keeper, scans: () => scans, hold: (until: Promise<void>) => void (held = until) }
}

const told = (counts: WordCounts, ...tokens: string[]) => ({
  fragments: counts.fragments,
  averageLength: counts.averageLength,
  holders: tokens.map((token) => counts.holdersOf(token)),
})

test('a token counts once a fragment, all of them make its length, and one without any is none', async () => {
  const counts = await source(['a b a', 'b  c', '']).keeper.counts()
  expect(told(counts, 'a', 'b', 'c', 'd')).toEqual({
    fragments: 2,
    averageLength: 5 / 2,
    holders: [1, 2, 1, 0],
  })
})

test('what is added and taken away while the table is read is counted once', async () => {
  const { keeper, hold } = source(['a b', 'b c'])
  const { promise, resolve } = Promise.withResolvers<void>()
  hold(promise)
  const counted = keeper.counts()
  await expect.poll(() => keeper.isLive).toBe(true)
  await keeper.changed([encode('c d')], [encode('b c')])
  resolve()
  expect(told(await counted, 'a', 'b', 'c', 'd').holders).toEqual([1, 1, 1, 1])
})

test('an empty table is counted from its first fragment on', async () => {
  const { keeper } = source([])
  expect(told(await keeper.counts(), 'a').fragments).toBe(0)
  await keeper.changed([encode('a')], [])
  expect(told(await keeper.counts(), 'a')).toEqual({
    fragments: 1,
    averageLength: 1,
    holders: [1],
  })
})

test('a reading that fails is tried again by the next', async () => {
  let fails = true
  const keeper = new WordKeeper({
    isShared: false,
    between: (begin) => begin(),
    scan: async (each) => {
      await each([encode('a')])
      if (fails) throw new Error('no')
    },
  })
  await expect(keeper.counts()).rejects.toThrow('no')
  fails = false
  expect(told(await keeper.counts(), 'a').holders).toEqual([1])
})

test('what nobody can tell is read again', async () => {
  const rows = ['a']
  const { keeper, scans } = source(rows)
  await keeper.counts()
  rows.push('a b')
  keeper.forget()
  expect(told(await keeper.counts(), 'a', 'b').holders).toEqual([2, 1])
  expect(scans()).toBe(2)
})

test('where others write too it is read again every minute, and nobody waits for it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const rows = ['a']
  const { keeper, scans } = source(rows, true)
  await keeper.counts()
  rows.push('a b')
  vi.setSystemTime(Date.now() + 30_000)
  expect(told(await keeper.counts(), 'a').holders).toEqual([1])
  vi.setSystemTime(Date.now() + 31_000)
  expect(told(await keeper.counts(), 'a').holders).toEqual([1])
  await expect.poll(async () => told(await keeper.counts(), 'a').holders).toEqual([2])
  expect(scans()).toBe(2)
})
