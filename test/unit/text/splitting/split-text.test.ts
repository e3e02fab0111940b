import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitText } from '../../../../src/text/splitting/split-text.ts'

const fragments = (text: string): string[] =>
  Array.from(splitText(text), ({ start, end }) => text.slice(start, end))

const startsOf = (text: string): number[] => Array.from(splitText(text), ({ start }) => start)

test('headings stand above lists whose items have commas, and Excel’s line above rows', () => {
  const list = (name: string) =>
    `## ${name}\n${Array.from({ length: 12 }, (_, n) => `- ${name} ${n} 0,50 €`).join('\n')}\n`
  const spans = [...splitText(list('Fruit') + list('Roots') + list('Herbs'), 200)]
  expect(spans.at(-1)?.headings).toEqual(['Herbs'])
  const rows = Array.from({ length: 60 }, (_, n) => `P${n};He came by Mt. Keld. It rained.`)
  const cut = [...splitText(`sep=;\ncode;text\n${rows.join('\n')}\n`, 200)]
  const text = `sep=;\ncode;text\n${rows.join('\n')}\n`
  for (const { start } of cut.slice(1)) expect(text[start - 1]).toBe('\n')
})

const visible = (text: string) => text.replaceAll(/^[\s\p{Cc}\p{DI}]+|[\s\p{Cc}\p{DI}]+$/gv, '')

/** What holds of every text. */
function expectWhole(text: string, maxLength = 2_000): void {
  let covered = 0
  for (const { start, end } of splitText(text, maxLength)) {
    expect(start).toBeLessThanOrEqual(covered)
    expect(end).toBeGreaterThan(covered)
    const { length } = visible(text.slice(start, end))
    expect(length).toBeGreaterThan(0)
    expect(length).toBeLessThanOrEqual(maxLength)
    covered = end
  }
  expect(covered).toBe(text.length)
}

const sentence = (n: number) => `This is sentence number ${n} of a text that goes on. `
const prose = Array.from({ length: 400 }, (_, n) => sentence(n)).join('')

describe.each(
  Object.entries({
    prose,
    paragraphs: Array.from({ length: 60 }, (_, n) => sentence(n).repeat((n % 9) + 1)).join('\n\n'),
    'no spaces': 'x'.repeat(9_999),
    'spaces in front': `${' '.repeat(5000)}end`,
    'spaces between': `alpha${' '.repeat(6_000)}beta`,
    'line feeds between': `gamma${'\n'.repeat(9_000)}delta`,
    'tabs and returns behind': `end${'\t\r\n'.repeat(3_000)}`,
    'invisible characters between': `one${'\u200b\u2060'.repeat(3_000)}two${'\u00ad'.repeat(4_000)}`,
    chinese: '今天天气很好，我们去公园散步吧。'.repeat(500),
    'chinese without marks': '今天天气很好我们去公园散步吧'.repeat(500),
    thai: 'สวัสดีครับวันนี้อากาศดีมาก'.repeat(300),
    emoji: '😀'.repeat(3000),
    'carriage returns': 'A line of a text.\r\n\r\n'.repeat(600),
    'a mark of combining characters': `a${'\u0301'.repeat(9_000)}`,
    'an open fence': `\`\`\`\n${'code()\n'.repeat(2_000)}`,
    'one heading of many': '# Heading\n'.repeat(2_000),
    short: 'Short.',
  }),
)('%s', (_, text) => {
  test.each([200, 2_000, 8_000])(
    'is covered by spans in order, none of them blank or longer than %i',
    (maxLength) => expectWhole(text, maxLength),
  )

  test('keeps surrogate pairs together and makes few fragments', () => {
    for (const fragment of fragments(text)) expect(fragment.isWellFormed()).toBe(true)
    expect(fragments(text).length).toBeLessThanOrEqual(Math.max(1, Math.ceil(text.length / 800)))
  })
})

test.each(['👨‍👩‍👧‍👦', '🇫🇷', 'é\u0323', '👍🏽', 'நி', '각'])(
  'no fragment begins or ends inside %s',
  (character) => {
    const text = `xx${character.repeat(1_500)}`
    for (const start of startsOf(text).slice(1)) expect((start - 2) % character.length).toBe(0)
  },
)

describe('any document', () => {
  const words = fc.array(fc.constantFrom('lorem', 'Ipsum', 'dolor', 'Éa', '👩‍🔬', '図書館', 'x1'), {
    minLength: 3,
    maxLength: 14,
  })
  const sentenceOf = words.map((some) => `The ${some.join(' ')} ends.`)
  const lines = fc.array(sentenceOf, { minLength: 1, maxLength: 12 })
  const block = fc.oneof(
    fc.tuple(fc.integer({ min: 1, max: 6 }), words).map(([level, title]) => {
      return `${'#'.repeat(level)} ${title.join(' ')}`
    }),
    words.map((title) => `Title ${title.join(' ')}\n=====`),
    lines.map((some) => wrapped(some.join(' '))),
    lines.map((some) => some.join(' ')),
    lines.map((some) => `\`\`\`js\n${some.join('\n\n')}\n\`\`\``),
    fc
      .array(sentenceOf, { minLength: 1, maxLength: 30 })
      .map((some) => some.map((row) => `| ${row} |`).join('\n')),
    fc.integer({ min: 1, max: 200 }).map((length) => ' \n'.repeat(length)),
  )
  const document = fc
    .array(block, { minLength: 1, maxLength: 60 })
    .map((blocks) => blocks.join('\n\n'))
    .filter((text) => visible(text) !== '')

  test('is covered, and cut in no character, fence or row, nor behind a heading', () => {
    fc.assert(
      fc.property(document, (text) => {
        expectWhole(text)
        const whole = insidesOf(text)
        for (const start of [...startsOf(text).slice(1), ...endsOf(text).slice(0, -1)]) {
          expect(whole.find((one) => one.start < start && start < one.end)).toBeUndefined()
        }
        for (const fragment of fragments(text).slice(0, -1)) {
          expect(fragment.trimEnd().split('\n').at(-1)).not.toMatch(/^#{1,6} |^=====$/)
        }
      }),
      { numRuns: 60 },
    )
  })

  const endsOf = (text: string): number[] => Array.from(splitText(text), ({ end }) => end)

  function insidesOf(text: string) {
    const found = [...text.matchAll(/^```js\n[^]*?\n```$|^\|.*\|$|👩‍🔬/gm)]
    return found.map(({ index, 0: { length } }) => ({ start: index, end: index + length }))
  }
})

/** Wrapped at 72 characters, as editors do. */
const wrapped = (text: string): string => text.replace(/(.{1,72})(?: |$)/g, '$1\n').trimEnd()

test.each([
  ['a line of 72', (text: string) => wrapped(text)],
  ['indented', (text: string) => wrapped(text).replaceAll(/^/gm, '       ')],
  ['with carriage returns', (text: string) => wrapped(text).replaceAll('\n', '\r\n')],
  ['quoted as a list', (text: string) => `- ${wrapped(text).replaceAll('\n', '\n  ')}`],
  ['not wrapped', (text: string) => text],
])('fragments begin at a sentence: %s', (_name, form) => {
  const sentences = Array.from(
    { length: 80 },
    (_, n) => `Clause ${n} says ${'what holds, '.repeat((n % 7) + 1)}and no more.`,
  )
  const [first, ...later] = fragments(form(sentences.join(' ')))
  expect(first).toMatch(/no\s+more\.\s*$/)
  expect(later.length).toBeGreaterThan(2)
  for (const fragment of later) expect(fragment).toMatch(/^\s*Clause\s+\d/)
})

test('neighbours share up to 200 characters of whole sentences', () => {
  const spans = [...splitText(prose)]
  const shares = spans.slice(1).map(({ start }, index) => spans[index]!.end - start)
  expect(shares.length).toBeGreaterThan(5)
  for (const length of shares) expect(length).toBeGreaterThan(50)
  for (const length of shares) expect(length).toBeLessThanOrEqual(200)
  for (const { start } of spans) expect(prose.slice(start)).toMatch(/^This is sentence/)
})

test('a text is cut where a paragraph ends, and indentation stays with its line', () => {
  const text = `${prose.slice(0, 1500)}\n\n    ${prose.slice(0, 1500)}`
  expect([...splitText(text)][0]).toEqual({ start: 0, end: 1502, headings: [] })
})

test('an option stays with its meaning where `col` wrote a tab for blanks', () => {
  const option = (n: number) =>
    `       -${n}, --pan${n}\n\t      Pans of shelf ${n} are scrubbed by a\tcloth.`
  const text = Array.from({ length: 40 }, (_, n) => option(n)).join('\n\n')
  for (const { start, end } of splitText(text, 300)) {
    const { length: names } = text.slice(start, end).match(/--pan/g) ?? []
    expect(text.slice(start, end).match(/cloth/g)).toHaveLength(names)
  }
})

test('rows of cells with tabs between are cut between, not inside', () => {
  const rows = Array.from({ length: 300 }, (_, n) => `value${n}\t${'Ann B. '.repeat(n % 9)}end`)
  for (const fragment of fragments(rows.join('\n'))) {
    expect(rows).toContain(fragment.split('\n')[0])
    expect(rows).toContain(fragment.trimEnd().split('\n').at(-1))
  }
})

test.each([
  ['Markdown', '# Book', '## One', '### A', '## Two', '# Next'],
  ['closed marks', '# Book #', '## One ##', '### A ###', '## Two ##', '# Next #'],
  ['AsciiDoc', '= Book', '== One', '=== A', '== Two', '= Next'],
  ['rules', 'Book\n====', 'One\n---', '### A', 'Two\n---', 'Next\n===='],
  ['reStructuredText', '****\nBook\n****', 'One\n===', 'A\n---', 'Two\n===', '****\nNext\n****'],
])('a text is cut at headings, which are told for what stands below: %s', (_, ...headings) => {
  const text = headings.map((heading) => `${heading}\n\n${prose.slice(0, 2_900)}`).join('\n\n')
  const paths = Array.from(splitText(text), (passage) => passage.headings.join(' > '))
  const inA = 'Book > One > A'
  expect(paths).toEqual([
    '',
    'Book',
    'Book',
    'Book > One',
    'Book > One',
    inA,
    'Book',
    'Book > Two',
    '',
    'Next',
  ])
})

test('the highest heading that fits is where a text is cut', () => {
  const part = (heading: string, length: number) => `${heading}\n\n${prose.slice(0, length)}\n\n`
  const text = `${part('# A', 300)}${part('## B', 500)}${part('# C', 300)}${part('## D', 400)}${part('## E', 900)}`
  const [, second] = fragments(text)
  expect(second).toMatch(/^# C/)
})

test('what looks like a heading in a fence is none', () => {
  const text = `# Real\n\n\`\`\`sh\n# not one\n\`\`\`\n\n${prose.slice(0, 5_000)}`
  expect([...splitText(text)].at(-1)?.headings).toEqual(['Real'])
})

test('each part of a text is looked at a bounded number of times', () => {
  const segmented: number[] = []
  const { segment } = Intl.Segmenter.prototype
  Intl.Segmenter.prototype.segment = function (text) {
    segmented.push(text.length)
    return segment.call(this, text)
  }
  try {
    for (const text of [prose.repeat(40), 'x'.repeat(1_000_000), 'สวัสดีครับวันนี้'.repeat(9_000)]) {
      segmented.length = 0
      Array.from(splitText(text))
      expect(segmented.reduce((sum, length) => sum + length, 0)).toBeLessThan(4 * text.length)
    }
  } finally {
    Intl.Segmenter.prototype.segment = segment
  }
})
