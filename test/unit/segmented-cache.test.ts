import { expect, test } from 'vitest'
import { SegmentedCache } from '../../src/segmented-cache.ts'

type One = { name: string; size: number }

function cacheOf(maxSize: number) {
  const dropped: string[] = []
  const cache = new SegmentedCache<One>({
    maxSize,
    sizeOf: ({ size }) => size,
    dropped: ({ name }) => dropped.push(name),
  })
  const set = (name: string, size = 1) => cache.set(name, { name, size })
  const names = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${prefix}${n}`)
  return { cache, dropped, set, names }
}

test('what is asked for again and again is remembered, also where it is more than there is room for', () => {
  const { cache, set, names } = cacheOf(100)
  const asked = names('a', 110)
  const round = () =>
    asked.filter((name) => {
      const known = cache.get(name)
      if (!known) set(name)
      return known
    }).length
  expect([round(), round(), round()]).toEqual([0, 75, 75])
})

test('what comes only once drives out none that was asked for again', () => {
  const { cache, dropped, set, names } = cacheOf(100)
  for (const name of names('a', 75)) set(name)
  for (const name of names('b', 1_000)) set(name)
  expect(names('a', 75).every((name) => cache.peek(name))).toBe(true)
  expect(cache.size).toBe(100)
  expect(dropped).toEqual(names('b', 975))
})

test('what is asked for again comes before what was not for longest', () => {
  const { cache, dropped, set, names } = cacheOf(8)
  for (const name of names('a', 8)) set(name)
  expect(cache.get('a7')?.name).toBe('a7')
  // It took the place of the first, which is among those that go next, and the last of them.
  set('b')
  expect(dropped).toEqual(['a6'])
  set('c')
  expect(dropped).toEqual(['a6', 'a0'])
  expect(cache.get('a7')?.name).toBe('a7')
})

test('one that takes the place of another of its name drops it, and nothing is dropped twice', () => {
  const { cache, dropped, set, names } = cacheOf(8)
  for (const name of names('a', 8)) set(name)
  set('a0', 2)
  set('a7')
  expect(dropped.toSorted()).toEqual(['a0', 'a6', 'a7'])
  expect(cache.peek('a0')?.size).toBe(2)
  expect(cache.size).toBe(7)
})
