import { expect, test } from 'vitest'
import { Direction } from '../../src/direction.ts'
import { eachHeld, type Held, together } from '../../src/store/hits.ts'

const hit = (datasourceId: string, value: number, updatedAt = '1', position = 0) => ({
  found: {
    datasourceId,
    position,
    text: '',
    name: '',
    source: '',
    updatedAt,
    direction: new Direction(Float32Array.of(1)),
  },
  value,
})

const valuesOf = (each: Held[]) =>
  each.map(({ hits, others }) => ({ values: hits.map(({ value }) => value), others }))

test('what two searches found by words stays apart, for each has its own measure', () => {
  const indexed = { hits: [hit('a', 9), hit('b', 5)], others: 5 }
  const fresh = { hits: [hit('c', 7), hit('d', 2)], others: 2 }
  expect(eachHeld([indexed, fresh])).toEqual([indexed, fresh])
  expect(eachHeld([indexed])).toEqual([indexed])
})

test('of a document that both found there is what the second found', () => {
  const before = [hit('a', 9), hit('a', 8, '1', 1), hit('b', 7)]
  const after = [hit('a', 3, '2')]
  const each = [before, after].map((hits) => ({ hits, others: 1 }))
  expect(valuesOf(eachHeld(each))).toEqual([
    { values: [7], others: 1 },
    { values: [3], others: 1 },
  ])
  const found = [before, after].map((hits) => hits.map((one) => one.found))
  expect(together(found[0]!, found[1]!)).toEqual([before[2]!.found, after[0]!.found])
  // Another fragment of the same version stays.
  const same = eachHeld([
    { hits: before, others: 0 },
    { hits: [hit('a', 4)], others: 0 },
  ])
  expect(valuesOf(same)).toEqual([
    { values: [8, 7], others: 0 },
    { values: [4], others: 0 },
  ])
})
