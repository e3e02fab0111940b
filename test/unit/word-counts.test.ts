import { expect, test } from 'vitest'
import { WordCounts } from '../../src/store/word-counts.ts'

const encode = (words: string) => new TextEncoder().encode(words)

test('what was added and taken away again leaves nothing', () => {
  const counts = new WordCounts()
  for (const words of ['a b', 'b c', 'c c c']) counts.add(encode(words))
  for (const words of ['c c c', 'a b']) counts.remove(encode(words))
  expect(['a', 'b', 'c'].map((token) => counts.holdersOf(token))).toEqual([0, 1, 1])
  expect([counts.fragments, counts.averageLength]).toEqual([1, 2])
})

test('more tokens than there is room for are counted no more, and nothing fails', () => {
  const counts = new WordCounts()
  const [tokens, aFragment] = [4_400_000, 100_000]
  for (let start = 0; start < tokens; start += aFragment) {
    const some = Array.from({ length: aFragment }, (_, n) => (start + n).toString(36))
    counts.add(encode(some.join(' ')))
  }
  const last = encode((tokens - 1).toString(36))
  counts.add(last)
  expect(counts.holdersOf('0')).toBe(1)
  expect(counts.holdersOf((tokens - 1).toString(36))).toBe(0)
  counts.remove(last)
  expect(counts.holdersOf((tokens - 1).toString(36))).toBe(0)
  expect(counts.fragments).toBe(tokens / aFragment)
})
