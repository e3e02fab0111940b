import { expect, test } from 'vitest'
import { RecordCache } from '../../../../src/store/records/record-cache.ts'

const namesOf = ({ id }: { id: string }): string[] => [id]

const record = (id: string, value = 1) => ({ id, value })

/** A cache on a store that answers when it is told to. */
function slowCache() {
  const lookUps: { ids: string[]; answer: (found: ReturnType<typeof record>[]) => void }[] = []
  const cache = new RecordCache<ReturnType<typeof record>>(
    (ids) => new Promise((answer) => lookUps.push({ ids, answer })),
    namesOf,
    true,
  )
  return { cache, lookUps }
}

test('one look-up runs at a time, and takes along all that wait', async () => {
  const { cache, lookUps } = slowCache()
  const first = cache.recall('a')
  const others = ['b', 'c', 'b'].map((id) => cache.recall(id))
  expect(lookUps.map(({ ids }) => ids)).toEqual([['a']])
  lookUps[0]?.answer([record('a')])
  expect(await first).toEqual(record('a'))
  await expect.poll(() => lookUps.map(({ ids }) => ids)).toEqual([['a'], ['b', 'c']])
  lookUps[1]?.answer([record('c')])
  expect(await Promise.all(others)).toEqual([undefined, record('c'), undefined])
  expect(await Promise.all(['a', 'c'].map((id) => cache.recall(id)))).toEqual([
    record('a'),
    record('c'),
  ])
  expect(lookUps).toHaveLength(2)
})

test('what is not there is looked up each time', async () => {
  const asked: string[][] = []
  const cache = new RecordCache<ReturnType<typeof record>>(
    async (ids) => {
      asked.push(ids)
      return ids.includes('a') ? [record('a')] : []
    },
    namesOf,
    true,
  )
  for (const id of ['a', 'b', 'a', 'b']) await cache.recall(id)
  expect(asked).toEqual([['a'], ['b'], ['b']])
})

test('what is changed while it is looked up is not remembered as it was', async () => {
  const { cache, lookUps } = slowCache()
  const asked = cache.recall('a')
  cache.changed('a', record('a', 2))
  lookUps[0]?.answer([record('a', 1)])
  await asked
  expect(await cache.recall('a')).toEqual(record('a', 2))
  const again = cache.recall('b')
  cache.changed('b', undefined)
  lookUps[1]?.answer([record('b')])
  await again
  void cache.recall('b')
  expect(lookUps).toHaveLength(3)
})

test('a look-up that fails fails those who wait for it, and no others', async () => {
  let fails = true
  const cache = new RecordCache<ReturnType<typeof record>>(
    async (ids) => {
      if (fails) throw new Error('no')
      return ids.map((id) => record(id))
    },
    namesOf,
    true,
  )
  await expect(cache.recall('a')).rejects.toThrow('no')
  fails = false
  expect(await cache.recall('a')).toEqual(record('a'))
})
