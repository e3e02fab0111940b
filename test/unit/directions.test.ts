import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Direction } from '../../src/direction.ts'
import { Directions } from '../../src/directions.ts'
import { unit } from '../../src/unit.ts'
import { Random } from '../support/random.ts'

/** Of so many numbers, of which about that share is 0, and the first is not. */
const vectorOf = (length: number, zeros: number) =>
  fc
    .array(fc.tuple(fc.double({ min: 0, max: 1 }), fc.integer({ min: 1, max: 999 })), {
      minLength: length,
      maxLength: length,
    })
    .map((pairs) =>
      Float32Array.from(pairs, ([draw, number], n) => (n > 0 && draw < zeros ? 0 : number - 500.5)),
    )

const several = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 0.05, 0.15, 0.5, 0.9))
  .chain(([length, zeros]) =>
    fc.tuple(
      // They come round, for what a block holds is more than is drawn.
      fc.array(vectorOf(length, zeros), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 800 }),
      vectorOf(length, zeros).map(unit),
    ),
  )

test('many are compared with a vector as one by one, in their order', () => {
  fc.assert(
    fc.property(several, ([vectors, count, other]) => {
      const all = new Directions()
      const round = vectors.map((vector) => new Direction(vector))
      for (let n = 0; n < count; n++) all.add(round[n % round.length]!)
      const expected = round.map((direction) => direction.partOf(other))
      const parts = all.partsOf(other)
      expect(parts).toHaveLength(count)
      expect(
        Math.max(...parts.map((part, n) => Math.abs(part - expected[n % round.length]!))),
      ).toBeLessThan(1e-6)
    }),
    { numRuns: 200 },
  )
})

test('the same is the same distance away, however it is remembered', () => {
  const random = new Random(1)
  const drawn = (count: number) =>
    Float32Array.from({ length: 512 }, (_, n) => (n < count ? random.below(1000) - 499.5 : 0))
  for (let run = 0; run < 50; run++) {
    const all = new Directions()
    const dense = new Direction(drawn(500))
    for (let n = 0; n < 255; n++) all.add(new Direction(drawn(100)))
    // In the block, and after it.
    all.add(dense)
    all.add(dense)
    const parts = all.partsOf(unit(drawn(512)))
    expect(parts[255]).toBe(parts[256])
  }
})

test('what is held of them beside themselves is told', () => {
  const all = new Directions()
  const sparse = new Float32Array(64)
  sparse[5] = 1
  for (let n = 0; n < 255; n++) all.add(new Direction(sparse))
  expect(all.byteLength).toBe(0)
  all.add(new Direction(sparse))
  // A place and a number for each, and where each of 64 places begins and the last ends.
  expect(all.byteLength).toBe(256 * 5 + 65 * 4)
  const dense = new Directions()
  for (let n = 0; n < 256; n++) dense.add(new Direction(new Float32Array(64).fill(1)))
  expect(dense.byteLength).toBe(0)
})
