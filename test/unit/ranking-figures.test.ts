import { expect, test } from 'vitest'
import { cutTexts } from '../bench/cut.ts'
import { ndcg } from '../bench/ndcg.ts'
import { recall } from '../bench/recall.ts'
import { percentile } from '../bench/rounds.ts'

const gains = new Map([
  ['a', 3],
  ['b', 1],
  ['c', 0],
  ['d', 1],
])

test('recall is the share of the documents with a gain, however large, that were found', () => {
  expect(recall(['b', 'x', 'a'], gains, 100)).toBe(2 / 3)
  expect(recall(['d', 'b', 'a', 'c'], gains, 100)).toBe(1)
  expect(recall(['c', 'x'], gains, 100)).toBe(0)
  expect(recall([], gains, 100)).toBe(0)
})

test('recall looks no deeper than asked, and counts a document once', () => {
  expect(recall(['x', 'a', 'b', 'd'], gains, 2)).toBe(1 / 3)
  expect(recall(['a', 'a', 'a'], gains, 100)).toBe(1 / 3)
})

test('recall is 0 where nothing is to be found', () => {
  expect(recall(['c'], new Map([['c', 0]]), 100)).toBe(0)
})

test('nDCG is 1 for the best order, and discounts by the rank', () => {
  expect(ndcg(['a', 'd', 'b', 'x'], gains, 10)).toBe(1)
  const ideal = 3 + 1 / Math.log2(3) + 1 / Math.log2(4)
  expect(ndcg(['x', 'a'], gains, 10)).toBeCloseTo(3 / Math.log2(3) / ideal, 12)
  expect(ndcg(['x', 'a'], gains, 1)).toBe(0)
})

test('a percentile is the smallest number that so many do not exceed', () => {
  const numbers = Array.from({ length: 100 }, (_, n) => 100 - n)
  expect(percentile(numbers, 0.5)).toBe(50)
  expect(percentile(numbers, 0.95)).toBe(95)
  expect(percentile([10, 9], 0.95)).toBe(10)
  expect(percentile([7], 0.5)).toBe(7)
})

const prose = (words: number): string =>
  Array.from({ length: words }, (_, n) => `word${n}`).join(' ')

test('texts are cut into as many as asked, of some 400 characters, between words', () => {
  const documents = [
    { number: '1', text: prose(300) },
    { number: '2', text: 'short' },
    { number: '3', text: prose(500) },
  ]
  const cut = cutTexts(documents, 1000)
  expect(cut).toHaveLength(1000)
  expect(new Set(cut.map(({ number }) => number)).size).toBe(1000)
  expect(cut.filter(({ text }) => text.length < 350 || text.length > 450).length).toBeLessThan(5)
  const words = new Set(prose(500).split(' ')).add('short')
  for (const { text } of cut) expect(words).toContain(text.trim().split(' ')[0])
})

test('cut texts reach the end, also where there are no spaces, and are well formed', () => {
  const cut = cutTexts([{ number: '1', text: `x${'😀'.repeat(400)}y` }], 4)
  expect(cut).toHaveLength(4)
  expect(cut[0]?.text).toMatch(/^x😀{199}\uFFFD$/u)
  expect(cut.at(-1)?.text).toMatch(/😀y$/u)
  for (const { text } of cut) expect(text.isWellFormed()).toBe(true)
})

test('a large collection is not cut into more than asked, a small one into what it has', () => {
  const documents = [prose(300), ' ', prose(300), prose(300)].map((text, number) => ({
    number: String(number),
    text,
  }))
  expect(cutTexts(documents, 2)).toHaveLength(2)
  expect(cutTexts([{ number: '1', text: 'short' }], 2)).toEqual([{ number: '1+0', text: 'short' }])
})
