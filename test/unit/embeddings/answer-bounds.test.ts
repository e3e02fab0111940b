import { expect, test } from 'vitest'
import { watchBounds } from '../../../src/embeddings/answer-bounds.ts'

const max = { bytes: 40, depth: 3, containers: 3, members: 2, values: 4 }

test.each([
  ['bytes', `"${'x'.repeat(38)}"`, `"${'x'.repeat(39)}"`],
  ['levels', '[[[]]]', '[[[[]]]]'],
  ['containers', '[[],{}]', '[[],{},[]]'],
  ['members', '{"a":1,"b":2}', '{"a":1,"b":2,"c":3}'],
  ['values', '[1,2,3,4,5]', '[1,2,3,4,5,6]'],
])('an answer is out of bounds by one of its %s more than may be', (_, most, tooMuch) => {
  const isWithin = watchBounds(max)
  // It comes in pieces.
  expect(Array.from(most, (letter) => isWithin(Buffer.from(letter)))).not.toContain(false)
  expect(watchBounds(max)(Buffer.from(tooMuch))).toBe(false)
})
