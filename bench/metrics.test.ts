import { expect, test } from 'vitest'
import { areaUnderCurve, ndcg, recall } from './metrics.ts'
import { nearestRecall } from './vectors.ts'

const gains = new Map(Object.entries({ a: 3, b: 1, c: 0, d: 1 }))

test('recall is the share of the documents with a gain that are among the first', () => {
  expect(recall(['b', 'x', 'a'], gains, 100)).toBe(2 / 3)
  expect(recall(['d', 'b', 'a', 'c'], gains, 100)).toBe(1)
  expect(recall(['x', 'a', 'b', 'd'], gains, 2)).toBe(1 / 3)
  expect(recall(['c'], new Map([['c', 0]]), 100)).toBe(0)
})

test('nDCG is 1 for the best order, and discounts by the rank', () => {
  expect(ndcg(['a', 'd', 'b', 'x'], gains, 10)).toBe(1)
  const ideal = 3 + 1 / Math.log2(3) + 1 / Math.log2(4)
  expect(ndcg(['x', 'a'], gains, 10)).toBeCloseTo(3 / Math.log2(3) / ideal, 12)
  expect(ndcg(['x', 'a'], gains, 1)).toBe(0)
})

test('the area under the curve is the share of pairs in order, where equal ones count half', () => {
  expect(areaUnderCurve([0.9, 0.8], [0.1, 0.2])).toBe(1)
  expect(areaUnderCurve([0.1], [0.2, 0.3])).toBe(0)
  expect(areaUnderCurve([0.5, 0.1], [0.5])).toBe(0.25)
})

test('recall of the nearest counts any of several that are equally near', async () => {
  const texts = ['granite willow', 'granite willow', 'granite copper', 'thunder'].map((text, n) => {
    return { number: String(n), text }
  })
  const recallOf = await nearestRecall(texts, ['granite willow'], 1)
  expect(['0', '1', '2'].map((number) => recallOf(0, [number]))).toEqual([1, 1, 0])
})
