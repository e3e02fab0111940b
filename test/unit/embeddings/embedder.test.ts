import { expect, test } from 'vitest'
import { checkVectors } from '../../../src/embeddings/embedder.ts'

test('vectors that cannot be stored or found are refused, each with its place', () => {
  const good = new Float32Array([0.6, 0.8])
  expect(() => checkVectors([good, good], 2, 2)).not.toThrow()
  expect(() => checkVectors([good], 2, 2)).toThrow('1 vectors for 2 texts')
  expect(() => checkVectors([good, new Float32Array(3)], 2, 2)).toThrow(
    'vector 1 3 numbers instead of 2',
  )
  expect(() => checkVectors([new Float32Array([NaN, 1])], 1, 2)).toThrow(
    'vector 0 numbers that are not finite',
  )
  expect(() => checkVectors([new Float32Array([Infinity, 1])], 1, 2)).toThrow('not finite')
  expect(() => checkVectors([new Float32Array([1e30, 1])], 1, 2)).toThrow('too large')
  expect(() => checkVectors([new Float32Array([1e-30, 0])], 1, 2)).toThrow('too small')
  expect(() => checkVectors([new Float32Array(2)], 1, 2)).toThrow('vector 0 only zeros')
})
