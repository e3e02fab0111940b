import { expect, test } from 'vitest'
import { words } from '../../../src/text/words.ts'

/** Eighteen characters in Unicode's compatibility form. */
const ligature = '\uFDFA'

test('of a text that grows in its compatibility form no more than twice is looked at', () => {
  const found = words(ligature.repeat(8_192))
  const characters = found.reduce((sum, { text }) => sum + text.length, 0)
  expect(characters).toBeLessThanOrEqual(2 * 8_192 + 64)
})

test('what stands in a text as seldom as in real ones is looked at whole', () => {
  const text = Array.from({ length: 10 }, () => `${ligature} and some more of it`).join(' ')
  expect(words(`${text} last`).at(-1)?.text).toBe('last')
})

test('the parts of a name are also one word, but those of a long path are not', () => {
  const wholes = (text: string) =>
    words(text).flatMap(({ text: word, kind }) => (kind === 'whole' ? [word] : []))
  expect(wholes('Wi-Fi')).toContain('wifi')
  expect(wholes('documentation/reference/getting-started/installation')).toEqual([])
})
