import { describe, expect, test } from 'vitest'
import { type Span, splitText } from '../../src/text/text-splitter.ts'

const sentence = (n: number) => `This is sentence number ${n} of a text that goes on. `
const prose = Array.from({ length: 400 }, (_, n) => sentence(n)).join('')

const texts: Record<string, string> = {
  prose,
  paragraphs: Array.from({ length: 60 }, (_, n) => sentence(n).repeat((n % 9) + 1)).join('\n\n'),
  'no spaces': 'x'.repeat(9_999),
  'spaces only in front': `${' '.repeat(5000)}end`,
  chinese: '今天天气很好，我们去公园散步吧。'.repeat(500),
  'chinese without marks': '今天天气很好我们去公园散步吧'.repeat(500),
  thai: 'สวัสดีครับวันนี้อากาศดีมาก'.repeat(300),
  emoji: '😀'.repeat(3000),
  'odd emoji': `x${'👩‍👩‍👧‍👦'.repeat(700)}`,
  'line breaks': '\n'.repeat(5000),
  'carriage returns': 'A line of a text.\r\n\r\n'.repeat(600),
  short: 'Short.',
}

const fragments = (text: string): string[] =>
  [...splitText(text)].map(({ start, end }) => text.slice(start, end))

describe.each(Object.entries(texts))('%s', (_, text) => {
  const spans: Span[] = [...splitText(text)]

  test('is covered whole, in order, by spans of at most 2,000', () => {
    let covered = 0
    for (const { start, end } of spans) {
      expect(start).toBeLessThanOrEqual(covered)
      expect(end).toBeGreaterThan(covered)
      expect(end - start).toBeLessThanOrEqual(2_000)
      covered = end
    }
    expect(covered).toBe(text.length)
  })

  test('keeps surrogate pairs together', () => {
    for (const fragment of fragments(text)) expect(fragment.isWellFormed()).toBe(true)
  })

  test('makes few fragments', () => {
    expect(spans.length).toBeLessThanOrEqual(Math.max(1, Math.ceil(text.length / 800)))
  })
})

test('cuts where a paragraph ends when one does', () => {
  const text = `${prose.slice(0, 1500)}\n\n${prose.slice(0, 1500)}`
  expect([...splitText(text)][0]).toEqual({ start: 0, end: 1502 })
})

test('cuts where a sentence ends, and the next fragment opens with the last whole sentences', () => {
  const [first = '', second = ''] = fragments(prose)
  expect(first).toMatch(/goes on\. $/)
  expect(second).toMatch(/^This is sentence/)
  const shared = second.slice(
    0,
    second.indexOf(sentence(Number(/number (\d+)/.exec(first.slice(-60))?.[1]) + 1)),
  )
  expect(shared.length).toBeGreaterThan(50)
  expect(shared.length).toBeLessThanOrEqual(200)
  expect(first.endsWith(shared)).toBe(true)
})

test('cuts between words where no sentence ends', () => {
  const words = 'word '.repeat(1000)
  for (const fragment of fragments(words).slice(0, -1)) expect(fragment).toMatch(/(^|\s)word\s?$/)
})

test('looks at each part of the text a bounded number of times', () => {
  const segmented: number[] = []
  const { segment } = Intl.Segmenter.prototype
  Intl.Segmenter.prototype.segment = function (text) {
    segmented.push(text.length)
    return segment.call(this, text)
  }
  try {
    for (const text of [prose.repeat(40), 'x'.repeat(1_000_000), texts.thai?.repeat(100) ?? '']) {
      segmented.length = 0
      Array.from(splitText(text))
      expect(segmented.reduce((sum, length) => sum + length, 0)).toBeLessThan(3 * text.length)
    }
  } finally {
    Intl.Segmenter.prototype.segment = segment
  }
})
