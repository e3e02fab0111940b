import { expect, test } from 'vitest'
import { Coverage } from '../../src/store/coverage.ts'

const shown = ({ isIndexed, until, fresh }: Coverage) => ({ isIndexed, until, fresh })

test('what is written while the index is made is not in it', async () => {
  const coverage = new Coverage()
  coverage.written(10)
  await coverage.extend(
    () => Promise.resolve('10'),
    () => {
      coverage.written(3)
      expect(shown(coverage)).toEqual({ isIndexed: false, until: undefined, fresh: 13 })
      return Promise.resolve(true)
    },
  )
  expect(shown(coverage)).toEqual({ isIndexed: true, until: '10', fresh: 3 })
})

test('where no index was made, or not to its end, all stays as it was', async () => {
  const coverage = new Coverage()
  coverage.open(true, 0, '5')
  coverage.written(2)
  const newest = () => Promise.resolve('7')
  await coverage.extend(newest, () => Promise.resolve(false))
  const failing = coverage.extend(newest, () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  expect(shown(coverage)).toEqual({ isIndexed: true, until: '5', fresh: 2 })
})

test('what an earlier life left out cannot be told by its time', () => {
  const coverage = new Coverage()
  coverage.open(true, 4, '5')
  expect(shown(coverage)).toEqual({ isIndexed: true, until: undefined, fresh: 4 })
  coverage.open(true, 0, '5')
  expect(shown(coverage)).toEqual({ isIndexed: true, until: '5', fresh: 0 })
})

test('without an index of vectors it is that of words which holds what was written until then', async () => {
  const coverage = new Coverage()
  coverage.open(false, 0, undefined)
  coverage.written(10)
  expect(shown(coverage)).toEqual({ isIndexed: false, until: '', fresh: 10 })
  const words = () => Promise.resolve(false)
  await coverage.extend(() => Promise.resolve('10'), words)
  expect(shown(coverage)).toEqual({ isIndexed: false, until: '10', fresh: 0 })
  coverage.forget()
  expect(coverage.until).toBeUndefined()
})
