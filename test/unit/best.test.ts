import { expect, test } from 'vitest'
import { Best } from '../../src/store/best.ts'
import { Random } from '../support/random.ts'

const place = (n: number) => ({ datasourceId: `d${String(n).padStart(3, '0')}`, position: 0 })

/** Offers values, each at the place of its number, in a random order; returns the numbers that are left. */
function left(best: Best<ReturnType<typeof place>>, values: number[], random: Random): number[] {
  const numbers = [...values.keys()]
  while (numbers.length > 0) {
    const [n] = numbers.splice(random.below(numbers.length), 1)
    best.offer(place(n!), values[n!]!)
  }
  return best.found.map(({ datasourceId }) => Number(datasourceId.slice(1)))
}

test('the best are there, the first of equal ones, whatever came first', () => {
  const random = new Random(1)
  const [limit, mostAlike] = [5, 12]
  for (let round = 0; round < 200; round++) {
    // Cosines are below 0, too.
    const values = Array.from({ length: 1 + random.below(60) }, () => random.below(8) - 4)
    const sorted = [...values.keys()].toSorted((a, b) => values[b]! - values[a]! || a - b)
    expect(left(new Best(limit), values, random)).toEqual(sorted.slice(0, limit))
    const best = new Best<ReturnType<typeof place>>(limit, mostAlike)
    const least = values[sorted[limit - 1]!]
    const alike = sorted.filter((n) => least === undefined || values[n]! >= least)
    expect(left(best, values, random)).toEqual(alike.slice(0, mostAlike))
    expect(best.least).toBe(least ?? 0)
    expect(best.mayTake(least ?? -9)).toBe(true)
    if (least !== undefined) expect(best.mayTake(least - 0.1)).toBe(false)
  }
})
