import { expect, test } from 'vitest'
import { SearchBudget } from '../../src/store/search/search-budget.ts'

const mebibytes = 1024 * 1024

/** How many of so many searches of one size run at once, and in which order they began. */
async function atOnce(bytes: number, searches: number) {
  const budget = new SearchBudget()
  const began: number[] = []
  let [running, most] = [0, 0]
  const search = async (number: number) => {
    began.push(number)
    most = Math.max(most, ++running)
    await Promise.resolve()
    running -= 1
  }
  const numbers = Array.from({ length: searches }, (_, number) => number)
  await Promise.all(numbers.map((number) => budget.admit(bytes, () => search(number))))
  expect(began).toEqual(numbers)
  return most
}

test('of small searches eight run at once, of large ones two, of any size at least one', async () => {
  expect(await atOnce(0, 20)).toBe(8)
  expect(await atOnce(mebibytes, 20)).toBe(8)
  expect(await atOnce(40 * mebibytes, 20)).toBe(3)
  expect(await atOnce(400 * mebibytes, 20)).toBe(2)
  expect(await atOnce(NaN, 20)).toBe(2)
})

test('a search that fails gives its room back', async () => {
  const budget = new SearchBudget()
  const failing = () => budget.admit(0, () => Promise.reject(new Error('no')))
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, failing))
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(await budget.admit(0, () => Promise.resolve('done'))).toBe('done')
})
