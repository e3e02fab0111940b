import { expect, test } from 'vitest'
import { queryTokens } from '../../src/domain/query-tokens.ts'
import { soughtTokens } from '../../src/domain/sought-tokens.ts'
import { tokensOf } from '../../src/domain/terms.ts'
import { WordCounts } from '../../src/store/word-counts.ts'

const text = Buffer.from(tokensOf('The heron wades.'))

function countsOf(fragments: number): WordCounts {
  const counts = new WordCounts()
  for (let n = 0; n < fragments; n++) counts.add(text)
  return counts
}

const [few, many] = [countsOf(100), countsOf(10_000)]

const asked = (query: string, counts: WordCounts) => soughtTokens(queryTokens(query, counts))

test('of few fragments terms and their pieces are asked for, terms three times', () => {
  const tokens = asked('heron wades', few)
  expect(tokens.get('heron')).toBe(3)
  expect(tokens.get('#hero')).toBe(1)
  expect(tokens.get('#wade')).toBe(1)
})

test('of many fragments only terms are asked for, each as often as it stands in the query', () => {
  expect([...asked('heron wades, heron', many)]).toEqual([
    ['heron', 2],
    ['wade', 1],
  ])
})

test('a word that hardly any fragment holds has its pieces looked for, however many there are', () => {
  const tokens = asked('heron wadse', many)
  expect(tokens.get('heron')).toBe(3)
  expect([...tokens.keys()]).toEqual(expect.arrayContaining(['#^wad', '#wads', '#dse$']))
  expect(tokens.has('#hero')).toBe(false)
})

test('of stop words there are only pieces', () => {
  expect([...asked('the', many).keys()]).toEqual(['#^the', '#the$'])
})
