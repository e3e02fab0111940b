import { expect, test } from 'vitest'
import { defines, optionsIn } from '../../../src/answers/passages/command-options.ts'

test.each([
  ['What does grep -v do?', ['v']],
  ['What do -A and -A and -B do in grep?', ['A', 'B']],
  ['What does find -mtime do?', ['mtime']],
  ['What does xargs -0 do?', ['0']],
  ['What happens at -5 degrees?', []],
  ['What happens at -5.5 volts?', []],
])('the options of a question are those that may be meant: %s', (question, options) => {
  expect(optionsIn(question)).toEqual(options)
})

test('a line of many signs asks the meaning of none, and no list of names is too long', () => {
  expect(optionsIn(Array.from({ length: 1_300 }, (_, n) => `-a${n}`).join(' '))).toEqual([])
  expect(defines('-y\n'.repeat(100_000), ['x'])).toBe(false)
})
