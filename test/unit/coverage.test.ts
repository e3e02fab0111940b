import { expect, test } from 'vitest'
import { Coverage } from '../../src/store/coverage.ts'

/** Indexes of which that of words was made anew. */
const indexed = (hasVectors: boolean) => Promise.resolve({ hasVectors, areWordsNew: true })

const shown = ({ isIndexed, until, fresh }: Coverage) => ({ isIndexed, until, fresh })

test('what is written while the index is made is not in it', async () => {
  const coverage = new Coverage()
  coverage.written(10, 0)
  await coverage.extend(
    () => Promise.resolve('10'),
    () => {
      coverage.written(3, 0)
      expect(shown(coverage)).toEqual({ isIndexed: false, until: undefined, fresh: 13 })
      return indexed(true)
    },
  )
  expect(shown(coverage)).toEqual({ isIndexed: true, until: '10', fresh: 3 })
})

test('where no index was made, or not to its end, all stays as it was', async () => {
  const coverage = new Coverage()
  coverage.open({ hasVectors: true, isWordsOnly: false, unindexed: 0 }, '5', 0)
  coverage.written(2, 0)
  const newest = () => Promise.resolve('7')
  await coverage.extend(newest, () => indexed(false))
  const failing = coverage.extend(newest, () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  expect(shown(coverage)).toEqual({ isIndexed: true, until: '5', fresh: 2 })
})

test('what an earlier life left out cannot be told by its time', () => {
  const coverage = new Coverage()
  coverage.open({ hasVectors: true, isWordsOnly: false, unindexed: 4 }, '5', 0)
  expect(shown(coverage)).toEqual({ isIndexed: true, until: undefined, fresh: 4 })
  coverage.open({ hasVectors: true, isWordsOnly: false, unindexed: 0 }, '5', 0)
  expect(shown(coverage)).toEqual({ isIndexed: true, until: '5', fresh: 0 })
})

test('without an index of vectors it is that of words which holds what was written until then', async () => {
  const coverage = new Coverage()
  coverage.open({ hasVectors: false, isWordsOnly: true, unindexed: 0 }, undefined, 0)
  coverage.written(10, 0)
  expect(shown(coverage)).toEqual({ isIndexed: false, until: '', fresh: 10 })
  const words = () => indexed(false)
  await coverage.extend(() => Promise.resolve('10'), words)
  expect(shown(coverage)).toEqual({ isIndexed: false, until: '10', fresh: 0 })
  coverage.forget()
  expect(coverage.until).toBeUndefined()
})

test('where there are others but none of vectors, nobody knows until when they hold all', async () => {
  const coverage = new Coverage()
  coverage.open({ hasVectors: false, isWordsOnly: true, unindexed: 0 }, '5', 0)
  coverage.written(3, 0)
  const newest = () => Promise.resolve('8')
  await coverage.extend(newest, async () => {
    coverage.grow()
    return indexed(false)
  })
  expect(shown(coverage)).toEqual({ isIndexed: false, until: undefined, fresh: 3 })
  coverage.open({ hasVectors: false, isWordsOnly: false, unindexed: 0 }, '5', 0)
  expect(coverage.until).toBeUndefined()
})

test('what was deleted is not counted any more once words are indexed after it', async () => {
  const coverage = new Coverage()
  coverage.written(3, 0)
  expect(coverage.gone).toBe(0)
  coverage.written(0, 4)
  const newest = () => Promise.resolve('8')
  await coverage.extend(newest, async () => {
    coverage.written(1, 2)
    return indexed(false)
  })
  expect(coverage.gone).toBe(2)
  await coverage.extend(newest, () => indexed(false))
  expect(coverage.gone).toBe(0)
})

test('it is counted on where files are merged', async () => {
  const coverage = new Coverage()
  coverage.written(0, 4)
  const merged = async () => ({ hasVectors: true, areWordsNew: false })
  await coverage.extend(() => Promise.resolve('8'), merged)
  expect(coverage.gone).toBe(4)
})
