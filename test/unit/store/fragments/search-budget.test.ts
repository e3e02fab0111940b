import { expect, test } from 'vitest'
import { SearchBudget } from '../../../../src/store/fragments/search-batch.ts'

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

test('fewer searches run at once the larger they are, and at least one of any size', async () => {
  const [empty = 0, small = 0, large = 0, huge = 0, unknown = 0] = await Promise.all(
    [0, mebibytes, 40 * mebibytes, 400 * mebibytes, NaN].map((bytes) => atOnce(bytes, 20)),
  )
  expect(empty).toBeLessThan(20)
  expect(small).toBe(empty)
  expect(large).toBeLessThan(small)
  expect(huge).toBeLessThan(large)
  expect(unknown).toBe(huge)
  expect(huge).toBeGreaterThan(0)
})

test('a search that fails gives its room back', async () => {
  const budget = new SearchBudget()
  const failing = () => budget.admit(0, () => Promise.reject(new Error('no')))
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, failing))
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(await budget.admit(0, () => Promise.resolve('done'))).toBe('done')
})
