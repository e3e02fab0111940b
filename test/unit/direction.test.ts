import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Direction } from '../../src/direction.ts'

const number = fc.integer({ min: -1000, max: 1000 }).map((n) => n / 1000)
/** Of any share of zeros, of which some are negative. */
const vectorOf = (length: number) =>
  fc
    .tuple(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.array(number, { minLength: length, maxLength: length }),
    )
    .chain(([share, numbers]) =>
      fc
        .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: length, maxLength: length })
        .map((draws) => Float32Array.from(draws, (draw, n) => (draw < share ? -0 : numbers[n]!))),
    )
    .filter((vector) => vector.some((value) => value !== 0))
const twoVectors = fc
  .integer({ min: 1, max: 64 })
  .chain((length) => fc.tuple(vectorOf(length), vectorOf(length)))

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, n) => sum + value * b[n]!, 0)
const lengthOf = (vector: Float32Array): number => Math.sqrt(dot(vector, vector))

test('a direction tells how far a vector reaches its way, whether zeros are left out or not', () => {
  fc.assert(
    fc.property(twoVectors, ([one, other]) => {
      const direction = new Direction(one)
      expect(direction.length).toBe(one.length)
      expect(direction.partOf(other)).toBeCloseTo(dot(one, other) / lengthOf(one), 5)
    }),
    { numRuns: 500 },
  )
})

test('a vector is moved along a direction, in all its numbers', () => {
  fc.assert(
    fc.property(twoVectors, number, ([one, other], distance) => {
      const moved = other.slice()
      new Direction(one).addTo(moved, distance)
      moved.forEach((value, n) => {
        expect(value).toBeCloseTo(other[n]! + (distance * one[n]!) / lengthOf(one), 5)
      })
    }),
    { numRuns: 500 },
  )
})

test('what has zeros takes less memory, at any length', () => {
  for (const length of [31, 32, 1024, 100_000]) {
    const vector = new Float32Array(length)
    vector[3] = 3
    vector[length - 1] = -4
    const direction = new Direction(vector)
    expect(direction.partOf(vector)).toBeCloseTo(5, 5)
    // Both numbers, and a bit for each place.
    expect(direction.byteLength).toBe(4 * (2 + Math.ceil(length / 32)))
    expect(new Direction(vector.fill(1, 1)).byteLength).toBe(4 * length)
  }
})

test('zeros are left out where that takes a quarter less', () => {
  const of = (count: number) => new Direction(new Float32Array(1024).fill(1, 0, count))
  expect([of(736).byteLength, of(737).byteLength]).toEqual([3072, 4096])
  expect([of(736).count, of(737).count]).toEqual([736, 737])
})
