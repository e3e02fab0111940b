import { expect, test } from 'vitest'
import { union } from '../../../../src/store/fragments/found.ts'

const found = (datasourceId: string, position = 0, updatedAt = '1') => ({
  datasourceId,
  position,
  fragmentCount: 1,
  offset: 0,
  text: '',
  name: '',
  source: '',
  updatedAt,
  vector: Float32Array.of(1),
})

test('the fragments of two searches are joined, each once', () => {
  const [a, b, c] = [found('a'), found('a', 1), found('c')]
  expect(union([a, b], [b, c])).toEqual([a, b, c])
  expect(union([], [a])).toEqual([a])
})

test('a document replaced between two searches stays only as the second found it', () => {
  const before = [found('a'), found('a', 1), found('b')]
  const after = [found('a', 0, '2')]
  expect(union(before, after)).toEqual([before[2], after[0]])
})
