import { expect, test } from 'vitest'
import { defines, hasOption, optionsIn } from '../../../src/answers/passages/command-options.ts'

test.each([
  ['What does grep -v do?', ['v']],
  ['What do -A and -A and -B do in grep?', ['A', 'B']],
  ['What does find -mtime do?', ['mtime']],
  ['What does xargs -0 do?', ['0']],
  ['-When does the library open?', []],
  ['-Sind Hunde erlaubt?', []],
  ['The state-of-the-art -who built it?', []],
  ['What happens at -5 degrees?', []],
  ['What happens at -5.5 volts?', []],
  ['What happens at \u22127?', []],
])('the options of a question are those that may be meant: %s', (question, options) => {
  expect(optionsIn(question)).toEqual(options)
})

test('a name with a capital may be a word behind a dash', () => {
  expect(hasOption('Open from Monday to Friday.', optionsIn('Open Monday -Friday?'))).toBe(true)
  expect(hasOption('Open on Fridays.', optionsIn('Open Monday -Friday?'))).toBe(false)
})

test('a line of many signs asks the meaning of none, and a list of names is read in time', () => {
  expect(optionsIn(Array.from({ length: 1_300 }, (_, n) => `-a${n}`).join(' '))).toEqual([])
  const began = performance.now()
  expect(defines('-y\n'.repeat(2_500), ['x'])).toBe(false)
  expect(performance.now() - began).toBeLessThan(50)
})
