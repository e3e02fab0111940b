import { expect, test } from 'vitest'
import { Direction } from '../../src/direction.ts'
import { type Held, heldTogether, together } from '../../src/store/hits.ts'

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

const valuesOf = ({ hits, others }: Held) => ({ values: hits.map(({ value }) => value), others })

test('what two searches found by words stands there best first, and others are at most what either left', () => {
  const indexed = { hits: [hit('a', 9), hit('b', 5)], others: 5 }
  const fresh = { hits: [hit('c', 7), hit('d', 2)], others: 2 }
  expect(valuesOf(heldTogether(indexed, fresh))).toEqual({ values: [9, 7, 5, 2], others: 5 })
  expect(valuesOf(heldTogether(fresh, indexed))).toEqual({ values: [9, 7, 5, 2], others: 5 })
  const none = { hits: [], others: 0 }
  expect(valuesOf(heldTogether(indexed, none))).toEqual({ values: [9, 5], others: 5 })
})

test('of a document that both found there is what the second found', () => {
  const before = [hit('a', 9), hit('a', 8, '1', 1), hit('b', 7)]
  const after = [hit('a', 3, '2')]
  const values = valuesOf(heldTogether({ hits: before, others: 0 }, { hits: after, others: 0 }))
  expect(values).toEqual({ values: [7, 3], others: 0 })
  const found = [before, after].map((hits) => hits.map((one) => one.found))
  expect(together(found[0]!, found[1]!)).toEqual([before[2]!.found, after[0]!.found])
  // Another fragment of the same version stays.
  const same = heldTogether({ hits: before, others: 0 }, { hits: [hit('a', 4)], others: 0 })
  expect(valuesOf(same)).toEqual({ values: [8, 7, 4], others: 0 })
})
