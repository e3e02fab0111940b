import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { oddPdf } from '../support/documents/odd-pdf.ts'
import { pdfOf, pdfOfContents, stream } from '../support/documents/pdf.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore } from '../support/things.ts'
import { drawnPdf, namedFont } from './drawn-pdf.ts'
import { readHere } from './read-here.ts'

const textOf = async (bytes: Buffer): Promise<string> =>
  (await readHere({ name: 'a.pdf', bytes })).text

const hex = (text: string, encoding: string): string =>
  `<${iconv.encode(text, encoding).toString('hex')}>`

/** Texts from the left at these places, in rows of 14 points. */
const rows = (xs: number[], texts: string[][]) =>
  texts.map((row, n) => row.map((text, cell) => ({ x: xs[cell]!, y: 700 - 14 * n, text })))

test.each([
  ['Japanese', 'HeiseiMin-W3', '90ms-RKSJ-H', 'Japan1', 'shift_jis', '図書館は九時に開きます。'],
  ['Korean', 'HYSMyeongJo-Medium', 'KSCms-UHC-H', 'Korea1', 'euc-kr', '도서관은 아홉 시'],
  ['Chinese', 'MSung-Light', 'ETen-B5-H', 'CNS1', 'big5', '圖書館九點開門'],
])(
  '%s in a font that is named with its encoding',
  async (_, name, cMap, ordering, encoding, text) => {
    const font = namedFont(name, cMap, ordering)
    const drawn = [{ x: 60, y: 700, font: 'F3', text: hex(text, encoding) }]
    expect(await textOf(drawnPdf({ drawn, font }))).toBe(text)
  },
)

const cells = [
  ['Hammer', '12', '8.50'],
  ['Chisel', '7', '14.20'],
  ['Mallet', '31', '6.75'],
]

const tableOf = (head: string[], ...others: string[][]): string =>
  [head, head.map(() => '---'), ...others].map((row) => `| ${row.join(' | ')} |`).join('\n')

test.each([
  ['from the right', rows([60, 200, 300], cells).flatMap((row) => row.toReversed())],
  ['by column', [0, 1, 2].flatMap((n) => rows([60, 200, 300], cells).map((row) => row[n]!))],
  ['from below', rows([60, 200, 300], cells).toReversed().flat()],
])('a table that is drawn %s', async (_, drawn) => {
  expect(await textOf(drawnPdf({ drawn }))).toBe('Hammer 12 8.50\nChisel 7 14.20\nMallet 31 6.75')
})

test('a table whose letters are turned is read as one', async () => {
  const content = cells.flat().map((text, index) => {
    const [x, y] = [100 + 14 * Math.floor(index / 3), 100 + 100 * (index % 3)]
    return `BT /F1 11 Tf 0 1 -1 0 ${x} ${y} Tm (${text}) Tj ET`
  })
  const bytes = pdfOfContents([stream(Buffer.from(content.toReversed().join('\n')))])
  expect(await textOf(bytes)).toBe('Hammer 12 8.50\nChisel 7 14.20\nMallet 31 6.75')
})

const pagesOf = (head: (page: number) => string, foot: (page: number) => string): string[][] =>
  [1, 2, 3, 4, 5, 6].map((page) => [
    head(page),
    `The text of ${'abcdef'[page - 1]} is here.`,
    foot(page),
  ])

test.each([
  ['17', (page: number) => `${16 + page}`],
  ['- 17 -', (page: number) => `- ${16 + page} -`],
  ['Page 1 of 6', (page: number) => `Page ${page} of 6`],
  ['Seite 117', (page: number) => `Seite ${116 + page}`],
  ['Field Guide 1', (page: number) => `Field Guide ${page}`],
  ['1024 A. Author et al.', (page: number) => `${1023 + page} A. Author et al.`],
])('a page that ends with %s loses its margins', async (_, foot) => {
  const text = await textOf(pdfOf(pagesOf(() => 'The Journal of Valves', foot)))
  expect(text).toMatch(/^The text of a is here\.\s+The text of b is here\./)
  expect(text).not.toMatch(/Journal|\d|Seite|Guide|Author/)
})

test.each([
  ['Invoice 2026-0117', (page: number) => `Invoice 2026-011${6 + page}`],
  ['Invoice 117', (page: number) => `Invoice ${116 + page}`],
  ['Invoice No. 117', (page: number) => `Invoice No. ${116 + page}`],
  ['2026-03-01', (page: number) => `2026-03-0${page}`],
  [
    'Chapter 1. Valves open at 20 bar.',
    (page: number) => `Chapter ${page}. Valves open at 20 bar.`,
  ],
  ['Total: 100 euros', (page: number) => `Total: ${100 * page} euros`],
])('a page that begins and ends with %s is kept whole', async (_, line) => {
  const text = await textOf(pdfOf(pagesOf(line, line)))
  for (const page of [1, 3, 6]) expect(text.split(line(page))).toHaveLength(3)
})

test('a table has the names of its columns, and one row of a cell that goes on', async () => {
  const table = [
    ['', 'In', 'Price of'],
    ['Tool', 'stock', 'each'],
    ['Hammer with a', '12', '8.50'],
    ['Chisel', '7', '14.20'],
    ['Mallet', '31', '6.75'],
  ]
  const above = { x: 60, y: 760, text: 'Our prices' }
  const wrap = { x: 60, y: 663, text: 'long shaft', size: 8 }
  const lower = (one: { y: number }) => (one.y < 665 ? one.y - 10 : one.y)
  const drawn = rows([60, 200, 300], table)
    .flat()
    .map((one) => ({ ...one, y: lower(one) }))
    .filter(({ text }) => text !== '')
  const [hammer, ...others] = table.slice(2)
  expect(await textOf(drawnPdf({ drawn: [above, ...drawn, wrap] }))).toBe(
    `Our prices\n\n${tableOf(['Tool', 'In stock', 'Price of each'], ['Hammer with a long shaft', ...hammer!.slice(1)], ...others)}`,
  )
})

test('numbers of columns that end near each other stay in their columns', async () => {
  const names = ['Tool', 'Net', 'Gross']
  const prices = [
    ['Chisel', '5.00', '5.90'],
    ['Bench', '90.00', '135.00'],
    ['Awl', '3.20', '3.80'],
  ]
  // Of Helvetica, in sizes.
  const widths: Record<string, number> = { Net: 1.556, Gross: 2.667 }
  const widthOf = (text: string) => 11 * (widths[text] ?? 0.556 * (text.length - 1) + 0.278)
  const drawn = [names, ...prices].flatMap(([tool = '', net = '', gross = ''], row) => {
    const y = 700 - 18 * row
    const others = [net, gross].map((text, n) => ({ x: 250 + 38 * n - widthOf(text), y, text }))
    return [{ x: 60, y, text: tool }, ...others]
  })
  expect(await textOf(drawnPdf({ drawn }))).toBe(tableOf(names, ...prices))
})

test('numbers that end where the next name begins are in their columns', async () => {
  const names = ['Work', 'Mon', 'Tue', 'Wed', 'Thu']
  const hours = [
    ['Alpha', '8', '7.5', '', '2'],
    ['Beta', '', '0.5', '8', ''],
    ['Gamma', '', '', '', '0.25'],
    ['Whole of all', '88.00', '98.00', '88.00', '82.25'],
  ]
  const endOf = (column: number, text: string) =>
    108 + 60 * column - 11 * (0.556 * text.replace('.', '').length + (/\./.test(text) ? 0.278 : 0))
  const drawn = hours.flatMap((row, n) =>
    row.map((text, column) => ({
      x: column === 0 ? 52 : endOf(column, text),
      y: 682 - 18 * n,
      text,
    })),
  )
  const head = names.map((text, column) => ({ x: 52 + 60 * column, y: 700, text }))
  const filled = drawn.filter(({ text }) => text !== '')
  expect(await textOf(drawnPdf({ drawn: [...head, ...filled] }))).toBe(tableOf(names, ...hours))
})

test('several cells of a row go on in lines that are nearer than the next row', async () => {
  const lines: [y: number, ...cells: string[]][] = [
    [700, 'Course', 'Who', 'Price', 'Seats'],
    [686, '', '', 'in all', 'left'],
    [664, 'Sailing for', 'Ann', '320', '7'],
    [650, 'those who'],
    [636, 'begin on'],
    [622, 'a lake'],
    [600, 'Knots', 'Ben', '25', '12'],
    [578, 'Radio', 'Cem', '189', '3'],
    [564, 'licence', 'Roth'],
    [542, 'Repair', 'Dora', '95', '8'],
    [528, '', 'Klein'],
  ]
  const drawn = lines.flatMap(([y, ...texts]) =>
    texts.map((text, n) => ({ x: 60 + 90 * n, y, text })).filter(({ text }) => text !== ''),
  )
  expect(await textOf(drawnPdf({ drawn }))).toBe(
    tableOf(
      ['Course', 'Who', 'Price in all', 'Seats left'],
      ['Sailing for those who begin on a lake', 'Ann', '320', '7'],
      ['Knots', 'Ben', '25', '12'],
      ['Radio licence', 'Cem Roth', '189', '3'],
      ['Repair', 'Dora Klein', '95', '8'],
    ),
  )
})

test('hours below an empty corner of a timetable are a column', async () => {
  const days = ['', 'Mon', 'Tue', 'Wed', 'Thu']
  const lessons = [
    ['08:00', 'Maths', '', 'Art', ''],
    ['09:00', '', 'History', 'Art', 'Biology'],
    ['10:00', 'English', 'Maths', '', 'Physics'],
  ]
  const drawn = rows([60, 120, 180, 240, 300], [days, ...lessons]).flat()
  const filled = drawn.filter(({ text }) => text !== '')
  expect(await textOf(drawnPdf({ drawn: filled }))).toBe(tableOf(days, ...lessons))
})

test('a title ends the table above it, and the text below it has its columns', async () => {
  const names = ['Booked', 'Debit', 'Credit', 'Balance']
  const booked = [
    ['02.04.', '850,00', '', '1204,17'],
    ['05.04.', '', '2410,33', '3614,50'],
    ['11.04.', '64,00', '', '3550,50'],
  ]
  const left = [
    'The limit for all loans is 2000',
    'and the rate on what is lent',
    'is 9 percent a year, as before.',
  ]
  const right = [
    'Objections must reach us in six',
    'weeks, and our branch in town',
    'is open on Mondays from 9 to 12.',
  ]
  const table = rows([60, 200, 310, 420], [names, ...booked]).flat()
  const notes = rows(
    [60, 310],
    left.map((text, n) => [text, right[n]!]),
  ).flat()
  const drawn = [
    ...table.filter(({ text }) => text !== ''),
    { x: 60, y: 630, text: 'Notes', size: 16 },
    ...notes.map((one) => ({ ...one, y: one.y - 92 })),
  ]
  expect(await textOf(drawnPdf({ drawn }))).toBe(
    `${tableOf(names, ...booked)}\n\n\n# Notes\n\n${left.join('\n')}\n\n${right.join('\n')}`,
  )
})

test('columns that stand near each other in all rows are apart', async () => {
  const names = ['Town', 'River', 'People', 'Homes']
  const towns = [
    ['Keld', 'Swale', '83,200', '35,702'],
    ['Muker', 'Swale', '67,500', '24,249'],
    ['Hawes', 'Ure', '41,300', '19,380'],
  ]
  const drawn = rows([60, 150, 250, 292], [names, ...towns]).flat()
  expect(await textOf(drawnPdf({ drawn }))).toBe(tableOf(names, ...towns))
})

test('a name over several columns of a head is a part of each', async () => {
  const groups = ['Summer', 'Autumn'].map((text, n) => ({ x: 205 + 100 * n, y: 714, text }))
  const lines = [
    ['Boat', 'Day', 'Week', 'Day', 'Week'],
    ['Raft', '12', '70', '9', '50'],
    ['Canoe', '15', '80', '11', '55'],
  ]
  const drawn = [...groups, ...rows([60, 200, 240, 300, 340], lines).flat()]
  expect(await textOf(drawnPdf({ drawn }))).toBe(
    tableOf(['Boat', 'Summer Day', 'Summer Week', 'Autumn Day', 'Autumn Week'], ...lines.slice(1)),
  )
})

test('a cell that goes on over several lines keeps a table together', async () => {
  const words = ['Hammer', 'with a', 'handle of', 'ash and a', 'long head']
  const named = rows(
    [60, 100, 300],
    [
      ['No', 'Tool', 'Price'],
      ['1', 'Hammer', '8.50'],
    ],
  ).flat()
  const y = Math.min(...named.map((one) => one.y))
  const wraps = words.slice(1).map((text, n) => ({ x: 100, y: y - 12 * (n + 1), text }))
  const others = [
    ['2', 'Chisel', '14.20'],
    ['3', 'Mallet', '6.75'],
  ]
  const below = rows([60, 100, 300], others)
    .flat()
    .map((one, n) => ({ ...one, y: y - 12 * words.length - 20 * Math.floor(n / 3) - 8 }))
  expect(await textOf(drawnPdf({ drawn: [...named, ...wraps, ...below] }))).toBe(
    tableOf(['No', 'Tool', 'Price'], ['1', words.join(' '), '8.50'], ...others),
  )
})

test('a table that goes on has the names of its columns on each page', async () => {
  const names = ['Tool', 'In stock', 'Price']
  const last = ['Awl', '4', '3.20']
  const many = Array.from({ length: 6 }, (_, n) => [`Saw ${n}`, `${n}`, `${n}.50`])
  const below = [{ x: 60, y: 600, text: 'Prices are without tax.' }]
  const contents = [[names, ...cells], many, [last]].map((table) => rows([60, 200, 300], table))
  contents.push([below])
  const bytes = pdfOfContents(contents.map((drawn) => contentOf(drawn.flat())))
  const tables = [cells, many, [last]].map((some) => tableOf(names, ...some))
  expect((await textOf(bytes)).split('\n\n')).toEqual([...tables, 'Prices are without tax.'])
})

const contentOf = (drawn: { x: number; y: number; text: string }[]): Buffer =>
  stream(
    Buffer.from(
      drawn.map(({ x, y, text }) => `BT /F1 11 Tf ${x} ${y} Td (${text}) Tj ET`).join('\n'),
    ),
  )

test('digits that are spaced into their cells are apart', async () => {
  const digits = ['1234', '5678', '9012', '3456', '7890']
  const drawn = digits.map((text, n) => ({ x: 60, y: 700 - 14 * n, text, before: '25 Tc' }))
  expect(await textOf(drawnPdf({ drawn }))).toBe(
    tableOf(['', '', '', ''], ...digits.map((row) => [...row])),
  )
})

test('letters that are spaced for looks are words', async () => {
  const drawn = [{ x: 60, y: 700, text: 'Page', before: '2 Tc' }]
  expect(await textOf(drawnPdf({ drawn }))).toBe('Page')
})

test('blanks that Ghostscript writes as a space between letters part words', async () => {
  const shows = [
    '(even if i)',
    '2.75 Tc 37.3 0 Td [(ti)250(ss)]TJ',
    '0 Tc 19.8 0 Td (et by )',
    '-0.9 Tc -1.87 Tw 30 0 Td (PA T)',
    '0 Tc 0 Tw 18.4 0 Td (TERN)',
  ]
  const content = shows.map((show) => (show.endsWith('TJ') ? show : `${show} Tj`)).join('\n')
  const bytes = pdfOfContents([stream(Buffer.from(`BT /F1 11 Tf 60 700 Td ${content} ET`))])
  expect(await textOf(bytes)).toBe('even if it is set by PATTERN')
})

test('rows of a table and paragraphs in large letters are no headings', async () => {
  const small = Array.from({ length: 12 }, (_, n) => ({
    x: 60,
    y: 500 - 14 * n,
    text: 'The mill stands by the river and grinds the corn of three villages.',
    size: 9,
  }))
  const large = [0, 1, 2, 3, 4].map((n) => ({
    x: 60,
    y: 780 - 14 * n,
    text: 'What the board said',
    size: 12,
  }))
  const row = rows([60, 200], [['Chair', 'Ann']]).flat()
  const text = await textOf(
    drawnPdf({ drawn: [...large, ...row.map((one) => ({ ...one, size: 12 })), ...small] }),
  )
  expect(text).not.toContain('#')
  expect(text).toContain('Chair Ann')
})

test('lines beside a high brace stay apart', async () => {
  const drawn = [
    { x: 60, y: 700, text: 'Married in Canada', size: 9 },
    { x: 60, y: 690, text: 'Married elsewhere', size: 9 },
    { x: 170, y: 691, text: '}', size: 24 },
  ]
  const text = await textOf(drawnPdf({ drawn }))
  expect(text).toMatch(/^Married in Canada/)
  expect(text).toContain('\nMarried elsewhere')
})

const prose = [
  ['The mill stands by the river', 'Guests who stay over night', 'Boats may be lent at noon'],
  ['and grinds the corn of three', 'pay at the desk, where they', 'and are brought back before'],
  ['villages. It is shown on the', 'get a key and a lamp. Lamps', 'the bell rings. Who comes too'],
  ['first of each month.', 'burn till ten.', 'late pays twice.'],
]

test.each([2, 3])('%s columns of text that are drawn by row', async (count) => {
  const drawn = rows([40, 220, 400], prose).flatMap((row) => row.slice(0, count))
  const columns = prose[0]!.slice(0, count).map((_, n) => prose.map((row) => row[n]).join('\n'))
  expect(await textOf(drawnPdf({ drawn }))).toBe(columns.join('\n\n'))
})

test('columns that stand close together', async () => {
  const letters = [...'abcdefghijkl']
  const left = letters.map((letter) => `${letter} the mill grinds the corn of all`)
  const right = letters.map((letter) => `${letter} boats may be lent at noon`)
  const columns = letters.map((_, n) => [left[n]!, right[n]!])
  const courier = 0.6 * 11
  const drawn = rows([40, 40 + courier * left[0]!.length + 9], columns)
  const text = await textOf(
    drawnPdf({ drawn: drawn.flat().map((one) => ({ ...one, font: 'F3' })) }),
  )
  expect(text).toBe([...left, ...right].join('\n'))
})

test('a heading over two columns comes before both, and a line below them behind', async () => {
  const drawn = [
    { x: 40, y: 730, text: 'A long title of the page that stands over both of its columns' },
    ...rows([40, 240], prose).flatMap((row) => row.slice(0, 2)),
    { x: 40, y: 600, text: 'Printed in May.' },
  ]
  const text = await textOf(drawnPdf({ drawn }))
  const places = ['A long', 'first of each', 'Guests who', 'burn till', 'Printed'].map((part) =>
    text.indexOf(part),
  )
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('the rows of a table of sentences are no columns', async () => {
  const table = [
    ['Lend a bicycle for one day', 'Twelve euros, paid in cash'],
    ['Lend a tent for one week', 'Forty euros, paid by card'],
    ['Lend a boat for one hour', 'Nine euros, paid in cash'],
  ]
  const text = await textOf(drawnPdf({ drawn: rows([40, 300], table).flat() }))
  expect(text).toBe(table.map((row) => row.join(' ')).join('\n'))
})

test.each([
  [
    'letter by letter',
    [...'Bell'].flatMap((text, n) =>
      [0, 0.3].map((by) => ({ x: 60 + 6.6 * n + by, y: 700, text, font: 'F3' })),
    ),
  ],
  ['as a whole', [0, 0.4].map((by) => ({ x: 60 + by, y: 700, text: 'Bell' }))],
])('what is drawn twice %s counts once', async (_, drawn) => {
  expect(await textOf(drawnPdf({ drawn }))).toBe('Bell')
})

test.each([
  ['a part-', 'time job', 'a part-time job'],
  ['a mother-in-', 'law', 'a mother-in-law'],
  ['a decision-', 'making body', 'a decision-making body'],
  ['the infor-', 'mation', 'the information'],
  ['an exam-', 'ple', 'an example'],
  ['all part-', 'ners', 'all partners'],
  ['a ground-floor flat; the ground-', 'floor', 'a ground-floor flat; the ground-floor'],
])('%s|%s is %s', async (first, second, whole) => {
  expect(await textOf(pdfOf([[first, second]]))).toBe(whole)
})

test('raised figures are exponents of numbers and units, and marks of notes', async () => {
  const raised = (x: number, text: string) => ({ x, y: 704, text, size: 7 })
  const drawn = [
    { x: 60, y: 700, text: '10' },
    raised(72.3, '-6'),
    { x: 90, y: 700, text: '3 m' },
    raised(108.5, '2'),
    { x: 120, y: 700, text: 'as told' },
    raised(152.8, '4'),
    { x: 170, y: 700, text: 'x' },
    raised(175.6, '2'),
  ]
  expect(await textOf(drawnPdf({ drawn }))).toBe('10^-6 3 m² as told[4] x^2')
  const note = [raised(60, '4'), { x: 64.1, y: 700, text: 'This is told' }]
  expect(await textOf(drawnPdf({ drawn: note }))).toBe('[4] This is told')
})

const link = (rect: string, more: string) =>
  `<< /Type /Annot /Subtype /Link /Rect [${rect}] /A << /S /URI /URI (${more}) >> >>`

test('a link says where it leads once, and not where its words do', async () => {
  const drawn = [
    { x: 60, y: 700, text: 'Fill in the form of claims at shop.example or write' },
    { x: 60, y: 686, text: 'to us.' },
  ]
  const objects = [
    link('105 695 178 712', 'https://forms.example/claims'),
    link('200 695 275 712', 'https://shop.example/'),
    link('58 680 95 692', 'mailto:us@shop.example'),
  ]
  const page = '/Annots [10 0 R 11 0 R 12 0 R]'
  expect(await textOf(drawnPdf({ drawn, page, objects }))).toBe(
    'Fill in the form of claims (https://forms.example/claims) at shop.example or write\nto us. (us@shop.example)',
  )
})

test('boxes that are ticked stand before their words, on whichever side those are', async () => {
  const box = (x: number, y: number, state: string, more = '') =>
    `<< /Type /Annot /Subtype /Widget /FT /Btn /T (b${x}${y}) /V /${state} /AS /${state} /Rect [${x} ${y} ${x + 10} ${y + 10}] /AP << /N << /On 8 0 R /Off 9 0 R >> >> ${more} >>`
  const drawn = [
    { x: 80, y: 700, text: 'By post' },
    { x: 180, y: 700, text: 'By mail' },
    { x: 60, y: 670, text: 'Insured' },
  ]
  const objects = [box(60, 698, 'On'), box(160, 698, 'Off'), box(110, 668, 'On')]
  const page = '/Annots [10 0 R 11 0 R 12 0 R]'
  const root = '/AcroForm << /Fields [10 0 R 11 0 R 12 0 R] >>'
  expect(await textOf(drawnPdf({ drawn, page, objects, root }))).toBe(
    '[x] By post [ ] By mail\n[x] Insured',
  )
})

test('what is typed into a field stands behind its words', async () => {
  expect(await textOf(oddPdf())).toContain('Name: Ada')
})

test('short bold lines are headings below larger ones, and bold words in a line are none', async () => {
  const drawn = [
    { x: 60, y: 740, text: 'Rules', size: 18 },
    { x: 60, y: 710, text: 'Opening hours', font: 'F2' },
    { x: 60, y: 690, text: 'The lido opens in May and closes in September.' },
    { x: 60, y: 676, text: 'Note:', font: 'F2' },
    { x: 95, y: 676, text: 'bring a towel.' },
    { x: 60, y: 660, text: 'Who runs is sent home.', font: 'F2' },
    { x: 60, y: 646, text: 'Fax of the lido: 816-823-5415', font: 'F2' },
  ]
  expect(await textOf(drawnPdf({ drawn }))).toBe(
    '# Rules\n\n## Opening hours\n\nThe lido opens in May and closes in September.\nNote: bring a towel.\nWho runs is sent home.\nFax of the lido: 816-823-5415',
  )
})

test('text without ink is left out, but for what was recognised in a scan', async () => {
  const seen = { x: 60, y: 700, text: 'At nine o clock.' }
  const hidden = { x: 60, y: 600, text: 'secret', before: '3 Tr' }
  expect(await textOf(drawnPdf({ drawn: [seen, hidden] }))).toBe('At nine o clock.')
  expect(await textOf(drawnPdf({ drawn: [hidden] }))).toBe('secret')
  const beside = { x: 900, y: 700, text: 'cut off' }
  expect(await textOf(drawnPdf({ drawn: [seen, beside] }))).toBe('At nine o clock.')
})

test(
  'pages without text are told by their numbers, where it is added and where it is read',
  { tags: 'deep' },
  async () => {
    const { client } = await joinServer()
    const id = await makeDatastore(client)
    const upload = async (pages: string[][]) => {
      const file = new File([new Uint8Array(pdfOf(pages))], 'a.pdf')
      const { data } = await sdk.uploadFile({
        client,
        path: { id },
        body: { file },
        throwOnError: true,
      })
      const path = { id, datasourceId: data.id }
      const got = await sdk.getDatasource({ client, path, throwOnError: true })
      return [data.pagesWithoutText, got.data.pagesWithoutText]
    }
    expect(await upload([['One.'], [], ['Three.'], [], []])).toEqual([
      [2, 4, 5],
      [2, 4, 5],
    ])
    expect(await upload([[], ['Two.']])).toEqual([[1], [1]])
    expect(await upload([['One.'], ['Two.']])).toEqual([undefined, undefined])
  },
)
