import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { FragmentDetail } from '../../generated/types.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeAgent, makeDatastore, query, upsert } from '../support/things.ts'

const { client } = await joinServer()
const fruits = ['Quince', 'Apple', 'Plum', 'Cherry', 'Medlar']

type Write = (cells: string[]) => string
const commas: Write = (cells) => cells.join(',')
const tabs: Write = (cells) => cells.join('\t')
const pipes: Write = (cells) => `| ${cells.join(' | ')} |`

const rowsOf = (write: Write) =>
  Array.from({ length: 200 }, (_, n) =>
    write([`${fruits[n % 5]}-${n}`, `${n + 40}.50`, `bin ${n}`]),
  )

const spaced: Write = (cells) =>
  cells
    .map((cell) => cell.padEnd(12))
    .join('')
    .trimEnd()
const simple = spaced(Array.from({ length: 3 }, () => '='.repeat(10)))
const grids = ['+---+---+---+', '+===+===+===+']

test.each([
  ['commas', commas, ''],
  ['tabs', tabs, ''],
  ['lines', pipes, '\n| --- | --- | --- |'],
  ['lines and a rule of Org', pipes, '\n|---+---+---|'],
  ['a grid', pipes, `\n${grids[1]}`, `${grids[0]}\n`],
  ['columns of reStructuredText', spaced, `\n${simple}`, '', `${simple}\n`],
])(
  'a row of a long table with %s is quoted with its head and no other row',
  async (_, write, rule, line = '', above = line) => {
    const rows = rowsOf(write)
    const head = write(['Article', 'Price', 'Place'])
    const text = `${above}${head}${rule}\n${rows.map((row) => `${row}\n${line}`).join('')}`
    const { id } = await learned(text)
    for (const n of [0, 5, 60, 120, 195]) {
      const { data } = await sdk.queryAgent({
        client,
        path: { id },
        body: { query: `price of Quince-${n}`, store: false },
        throwOnError: true,
      })
      expect(data.answer).toBe(`${head}\n${rows[n]}`)
      for (const { quote } of data.citations) {
        expect(text.slice(quote.start, quote.end)).toBe(quote.text)
      }
    }
  },
)

const accounts = Array.from(
  { length: 200 },
  (_, n) => `${1000 + n};Keeper ${n};Lock ${n};${n * 7},50`,
)

test.each([
  ['a title', 'Accounts;;;\n'],
  ['a title and a row of nothing', 'Accounts;;;\n;;;\n'],
  ['a comment', '# exported on 2026-03-05\n'],
  ['a line', 'All accounts\n'],
])('a row below the names of columns and %s is quoted with the names', async (_, above) => {
  const head = 'Number;Name;Place;Balance'
  const { id } = await learned(`${above}${head}\n${accounts.join('\n')}\n`)
  for (const n of [7, 70, 77, 140, 190]) {
    const body = { query: `What is the balance of Keeper ${n}?`, store: false }
    const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
    expect(data.answer).toBe(`${head}\n${accounts[n]}`)
  }
})

const invoice = (number: string, total: string) =>
  `# Invoice ${number}\n\nTo: Inn of ${total}, Lindau\n\n| No. | Item | Sum |\n| --- | --- | --- |\n| 1 | Apples | 18.00 |\n| 2 | Pears | 43.00 |\n|  | Net | 61.00 |\n|  | Fee | 0.10 |\n|  | Total | ${total} |\n`

test('the line below a heading is no answer where a row of the table there has what is asked', async () => {
  const { id } = await learned(invoice('88-201', '61.90').replace('Fee', 'VAT 7 %'))
  const body = { query: 'What is the VAT of invoice 88-201?', store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answer.split('\n').at(-1)).toBe('|  | VAT 7 % | 0.10 |')
})

test('a row below the number that is asked for is quoted, and none below others', async () => {
  const totals = ['61.90', '98.40', '72.15']
  const { id } = await learned(totals.map((total, n) => invoice(`88-${201 + n}`, total)).join('\n'))
  const answerTo = async (number: string) => {
    const body = { query: `What is the total of invoice ${number}?`, store: false }
    const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
    return data.finishReason === 'no_answer' ? undefined : data.answer.split('\n').at(-1)
  }
  for (const [n, total] of totals.entries()) {
    expect(await answerTo(`88-${201 + n}`)).toBe(`|  | Total | ${total} |`)
  }
  expect(await answerTo('88-299')).toBe(undefined)
})

test('rooms 3/4 are also asked for as room 3', async () => {
  const { id } = await learned(
    'Room 1/2 seats ten.\n\nRoom 3/4 is on the first floor.\n\nRoom 5/6 is under the roof.',
  )
  const body = { query: 'Where is room 3?', store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answer).toContain('Room 3/4 is on the first floor.')
})

test('an entry of a log is quoted alone, with the lines of its trace', async () => {
  const day = (n: number) => String(1 + n).padStart(2, '0')
  const entries = Array.from(
    { length: 20 },
    (_, n) => `2026-03-${day(n)} 10:00:49 INFO pump ${n} runs`,
  )
  const fault = '2026-03-07 11:12:13 ERROR pump blocked, code E4711\n    at pump (mill.js:7)'
  const { id } = await learned([...entries.slice(0, 7), fault, ...entries.slice(7)].join('\n'))
  const body = { query: 'What does E4711 mean?', store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answer).toBe(fault)
})

const stops = ['Ulm', 'Bonn', 'Kiel', 'Trier']

test.each([
  [
    'the cell of several words',
    [
      'No,Name,Street,Balance Saldo',
      ...Array.from({ length: 400 }, (_, n) => `${1000 + n},Room ${n},Street ${1000 + n},${n * 7}`),
    ],
    'What is the Saldo of Room 84?',
    '1084,Room 84,Street 1084,588',
  ],
  [
    'the column and the cell',
    ['task,depends on,hours', ...Array.from({ length: 50 }, (_, n) => `A${n},A${n + 1},${n}`)],
    'How many hours does task A8 take?',
    'A8,A9,8',
  ],
  [
    'the column and the cell in MediaWiki',
    [
      '! task !! depends on !! hours',
      ...Array.from({ length: 20 }, (_, n) => `|-\n| align="left" | A${n} || A${n + 1} || ${n}`),
    ],
    'How many hours does task A8 take?',
    '| align="left" | A8 || A9 || 8',
  ],
  [
    'two columns and their cells',
    [
      'from,to,minutes',
      ...stops.flatMap((from, a) =>
        stops.filter((to) => to !== from).map((to, b) => `${from},${to},${10 * a + b + 10}`),
      ),
    ],
    'How many minutes from Trier to Kiel?',
    'Trier,Kiel,42',
  ],
])('a row is named by %s, and another has the same words', async (_, lines, asked, row) => {
  const { id } = await learned(`${lines[0]!.startsWith('!') ? '{|\n' : ''}${lines.join('\n')}\n`)
  const body = { query: asked, store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answer).toBe(`${lines[0]}\n${row}`)
})

const capitals = ['Chad,Ndjamena,TD', 'Mali,Bamako,ML', 'Togo,Lome,TG', 'Benin,Porto-Novo,BJ']

test.each([
  ['without a digit', 'Country,Capital,Code', capitals, 'What is the capital of Togo?', 2],
  [
    'below the line that Excel writes',
    'Town;Ferry;Departs',
    ['Emden;Nordstern;7:15', 'Norddeich;Seagull;8:40', 'Harle;Wave;9:05'],
    'When departs the ferry of Norddeich?',
    1,
  ],
  [
    'with bars between its cells',
    'Code|Part|Stock',
    ['ZK-101|Valve|14', 'ZK-102|Gasket|220', 'ZK-103|Spring|75'],
    'How many in stock of ZK-103?',
    2,
  ],
  [
    'whose head has years',
    'Region;2019;2020;2021',
    ['Lazio;5755;5730;5714', 'Molise;303;300;296', 'Puglia;3975;3953;3933'],
    'How many in Molise in 2021?',
    1,
  ],
  [
    'whose head has names with digits',
    'area,doses,share,N1,N2',
    ['LAZ,13893,97.2,ITI,ITI4', 'MOL,779,91.4,ITF,ITF2', 'PUG,10146,95.8,ITF,ITF4'],
    'share of MOL',
    1,
  ],
])('a table %s is answered with its head and one row', async (name, head, rows, question, n) => {
  const first = name.includes('Excel') ? 'sep=;\n' : ''
  const { id } = await learned(`${first}${head}\n${rows.join('\n')}\n`)
  const body = { query: question, store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answer).toBe(`${head}\n${rows[n]}`)
})

const townsOf = (names: string[], value: (n: number) => string) =>
  ['town,about', ...names.map((name, n) => `${name},${value(n)}`)].join('\n')
const towns = ['East Guinea', 'Guinea', 'Chad', 'Mali', 'Togo', 'Benin', 'Ghana', 'Kenya']
const many = Array.from({ length: 200 }, (_, n) => `${towns[n % 8]} ${fruits[n % 5]}${n}`)

test.each<[string, string, string, string | undefined]>([
  ['two fields', townsOf(towns, (n) => `${n}${n}`), 'What about Togo?', 'Togo,44'],
  [
    'sentences in its cells',
    townsOf(many, (n) => `It lies by Mt. Keld. "${n}" is nr. ${n} of all. It is small.`),
    'What about Chad Plum42?',
    'Chad Plum42,It lies by Mt. Keld. "42" is nr. 42 of all. It is small.',
  ],
  [
    'line breaks in its cells',
    townsOf(many, (n) => `"By the sea.\n\nNr. ${n}. Small."`),
    'What about Chad Plum42?',
    'Chad Plum42,"By the sea.\n\nNr. 42. Small."',
  ],
  ['a longer name', townsOf(towns, (n) => `${n}${n}`), 'What about Guinea?', 'Guinea,11'],
  ['no such name', townsOf(towns, (n) => `${n}${n}`), 'What about the town Oslo?', undefined],
  ['a number alone', townsOf(towns, (n) => `${n}`), 'What about the town Oslo in 5?', undefined],
  ['a like word', townsOf(['Germany', 'Peru', 'Iran'], String), 'How many about Oslo?', undefined],
])('of a CSV with %s the row that is asked for answers', async (_, text, question, row) => {
  const { id } = await learned(text)
  const body = { query: question, store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  if (row === undefined) expect(data.answered).toBe(false)
  else expect(data.answer.slice(data.answer.indexOf('\n') + 1)).toBe(row)
})

const mayors = 'town,mayor\nEmden,Smith\nLeer,Meier\nAurich,Petersen'
const prices = 'ticket,price,zone\nadult,4,A\nchild,2,A\ndog,1,B'
const numbers = 'name;phone\nEmden;1\nLeer;\nAurich;3'

test.each([
  [mayors, 'Who is the mayor of the Town of Aurich?', 'Aurich,Petersen'],
  [mayors, 'Which Town has Petersen as Mayor?', 'Aurich,Petersen'],
  [mayors, 'Who is the mayor of Aurrich?', 'Aurich,Petersen'],
  [prices, 'What does a child ticket cost in April?', 'child,2,A'],
  [
    'word,said\nfirst,"So ""hello"", he said"\nnext,"No, ""never"", she said"\nlast,"Oh"',
    'What is said next?',
    'next,"No, ""never"", she said"',
  ],
  [prices, 'How many for a dog?', 'dog,1,B'],
  [prices, 'How much does an adult ticket cost at the Keld Lido?', 'adult,4,A'],
  [numbers, 'phone of Aurich', 'Aurich;3'],
  ['size,inch\nPipe,5"\nValve,7"\nBolt,3"\nNut,4"', 'inch of Nut', 'Nut,4"'],
])('of %j the row that %j asks for is quoted, and no other', async (text, question, row) => {
  const { id } = await learned(text)
  const body = { query: question, store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answer.split('\n').at(-1)).toBe(row)
  expect(data.answer.split('\n').length).toBeLessThanOrEqual(2)
})

test.each([
  ['below them', 'Source: the catalogue of the shop'],
  ['that is a sum', 'Total: 200 products'],
  ['of one cell', '---'],
])('rows are rows with a line %s, and the spans of quotes are right', async (_, line) => {
  const head = 'Article,Price,Place'
  const text = [head, ...rowsOf(commas), line].join('\n')
  const { id } = await learned(text)
  for (let n = 0; n < 200; n += 25) {
    const body = { query: `What is the price of Quince-${n}?`, store: false }
    const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
    expect(data.answer).toBe(`${head}\nQuince-${n},${n + 40}.50,bin ${n}`)
    for (const { quote } of data.citations) {
      expect(text.slice(quote.start, quote.end)).toBe(quote.text)
    }
  }
})

test.each(['what is the price of ax1077?', 'price of AX-1077', 'what is v2.17.1?'])(
  'a code is found in other letters, and with other marks: %s',
  async (asked) => {
    const rows = ['2.17.1,12.50,bin 1', 'AX1070,13.50,bin 2', 'AX1077,14.50,bin 3']
    const { id } = await learned(['Article,Price,Place', ...rows, 'BX1071,15.50,bin 4'].join('\n'))
    const body = { query: asked, store: false }
    const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
    expect(data.answer).toContain(asked.includes('2.17') ? rows[0] : rows[2])
  },
)

test('lines of prose with a number each are no rows', async () => {
  const lines = [
    'Sales of bread rose by 3,5 %',
    'Gains from bread fell by 2,1 %',
    'Wages are 1,20 euros',
  ]
  const { id } = await learned(lines.join('\n'))
  const body = { query: 'What about sales and gains from bread?', store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answer).toBe(lines.join('\n'))
})

test('the row that has a long number of the question is quoted, not one below its title', async () => {
  const head = '| Earnings | Single | Married |\n| --- | --- | --- |'
  const rows = Array.from(
    { length: 200 },
    (_, n) => `| ${n + 1},000 | ${n % 50}.5% | ${n % 40}.9% |`,
  )
  const { id } = await learned(
    `Average tax rates on annual earnings\n\n${head}\n${rows.join('\n')}\n`,
  )
  const body = { query: 'What is the average tax rate on annual earnings of 125000?', store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answer).toContain(rows[124])
})

const ferries = fruits.map((town, n) => ({ town, departs: `${n + 6}:15`, fare: { eur: n + 3.5 } }))

test.each<[string, string]>([
  ['in one line', JSON.stringify(ferries)],
  ['on lines of their own', JSON.stringify(ferries, null, 2)],
  ['of a member', JSON.stringify({ version: 2, ferries }, null, 4)],
  ['line by line', ferries.map((ferry) => JSON.stringify(ferry)).join('\n')],
  ['that begin inside one', JSON.stringify(ferries, null, 2).slice(40)],
])('of objects in JSON %s the one that is asked for answers', async (_, text) => {
  const { id } = await learned(text)
  const body = { query: 'When departs the ferry from Plum?', store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(JSON.parse(data.answer)).toEqual(ferries[2])
  expect(text).toContain(data.answer)
})

test('prose around objects in JSON is quoted, too', async () => {
  const { id } = await learned(
    'The greenhouse opens at nine. It answers [{"a": 1}, {"a": 2}, {"a": 3}] to all.',
  )
  const body = { query: 'When does the greenhouse open?', store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answer).toContain('The greenhouse opens at nine.')
})

const grid = '+-------+---------+'
test.each([
  [
    'a grid',
    [grid, '| Town  | Departs |', grid.replaceAll('-', '='), '| Hoy   | 8:15    |', grid],
    [1, 3],
  ],
  [
    'a grid with cells of several lines',
    [
      grid,
      '| Town  | Departs |',
      '|       | on time |',
      grid.replaceAll('-', '='),
      '| Hoy   | 8:15    |',
      '|       | or 9:15 |',
      grid,
      '| Plum  | 7:15    |',
      '|       | or 8:45 |',
      grid,
    ],
    [1, 2, 4, 5],
  ],
  ['AsciiDoc', ['|===', '|Town |Departs', '', '|Skerry |7:15', '|Hoy |8:15', '|==='], [1, 4]],
])('a row of a table as %s is quoted with its head', async (_, lines, expected) => {
  const { id } = await learned(lines.join('\n'))
  const body = { query: 'When departs the ferry of Hoy?', store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answer.split('\n')).toEqual(expected.map((n) => lines[n]))
})

test('the paragraph above a simple table of reStructuredText is quoted, and rows below its names', async () => {
  const table = [
    ['Town', 'Ferry', 'Departs'],
    ...fruits.map((town, n) => [`${town}ton`, `Wave ${n}`, `${n + 6}:15`]),
  ]
  const [head, ...rows] = table.map(spaced)
  const says = 'All ferries go at high tide.'
  const text = ['Ferries', '=======', '', says, '', simple, head, simple, ...rows, simple].join(
    '\n',
  )
  const { id } = await learned(`${text}\n`)
  const answerTo = async (asked: string) => {
    const body = { query: asked, store: false }
    const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
    return data.answer
  }
  expect(await answerTo('When departs the ferry of Plumton?')).toBe(`${head}\n${rows[2]}`)
  expect(await answerTo('When do ferries go, at high tide?')).toContain(says)
})

test('names above a rule of reStructuredText are no answer, though few rows have a number', async () => {
  const rows = [
    'Name   Default  Says',
    'speed  40       How fast it turns',
    '                in the wind.',
    'grain  rye      What is milled.',
    'stone  hard     Which are in it.',
  ]
  const line = '=====  =======  ================='
  const { id } = await learned(
    `It grinds.\n\n${[line, rows[0], line, ...rows.slice(1), line].join('\n')}\n`,
  )
  const body = { query: 'What is the default of grain?', store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answer).toBe(`${rows[0]}\n${rows[3]}`)
})

test('after the end of a table whose beginning is missing, paragraphs stay apart', async () => {
  const { id } = await learned(
    '|Hoy |8:15\n|===\n\nThe greenhouse opens at nine.\n\nThe cellar is closed.\n',
  )
  const body = { query: 'Is the cellar closed?', store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answer).toBe('The cellar is closed.')
})

test('a query shows the head of a table that goes on in a fragment', async () => {
  const head = '| Article | Price | Place |\n| --- | --- | --- |'
  const { datastoreId } = await learned(`${head}\n${rowsOf(pipes).join('\n')}\n`)
  const body = { query: 'Quince-195', topK: 100, include: [FragmentDetail.HEAD] }
  const [found, ...others] = await query(client, datastoreId, body)
  expect(found?.text).toContain('Quince-195')
  expect(found?.head).toBe(head)
  const first = others.find(({ text }) => text.startsWith(head))
  expect(first && 'head' in first).toBe(false)
})

test.each([
  ['Was kostet Nr-287?', 'Nr-', ['Artikel', 'Preis', 'Regal']],
  ['AX287的价格是多少？', 'AX', ['商品', '价格', '货架']],
])('%s is answered with its row, whose words stand in all rows', async (question, key, head) => {
  const rows = Array.from({ length: 400 }, (_, n) =>
    pipes([`${key}${n}`, `${n % 90}.50`, `Gang ${1000 + n}`]),
  )
  const { id } = await learned([pipes(head), '| --- | --- | --- |', ...rows].join('\n'))
  const body = { query: question, store: false }
  // The first question has chance measured.
  for (let n = 0; n < 2; n++) {
    const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
    expect(data.answer.split('\n').at(-1)).toBe(rows[287])
  }
})

test('the row of a section is quoted, below a heading that has the number of a version', async () => {
  const rows = ['6.2.5,No rules of letters', '6.2.1,At least 8 letters', '6.2.2,May be changed']
  const { id } = await learned(`# Passwords of 5.0.0\n\nnr,rule\n${rows.join('\n')}\n`)
  const body = { query: 'What is rule 6.2.1 of passwords of 5.0.0?', store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answer).toContain(rows[1])
  expect(data.answer).not.toContain(rows[0])
})

test('a code that no row has is answered with no row', async () => {
  const { id } = await learned(`Article,Price,Place\n${rowsOf(commas).join('\n')}\n`)
  const body = { query: 'price of Quince-777', store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answered).toBe(false)
})

const lengths = ['up to 8 m', '8 to 12 m', '12 to 15 m']

test.each(lengths.entries().toArray())(
  'of rows with all numbers of a question the one whose cell has most of it is quoted: %i',
  async (row, length) => {
    const lines = lengths.map((one, n) => pipes([one, `${4 * n + 12}`, `${n + 70}`]))
    const head = [pipes(['Length', 'Day', 'Week']), '| --- | --- | --- |']
    const { id } = await learned([...head, ...lines].join('\n'))
    const body = { query: `What does a week cost at a length of ${length}?`, store: false }
    const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
    expect(data.answer.split('\n').at(-1)).toBe(lines[row])
  },
)

const machine = [
  ['Feature', 'Value'],
  ['# of cpus', '8'],
  ['# of disks', '4'],
  ['Memory', '32'],
  ['Fans', '3'],
]
const channels = [
  ['#general', 'What is new'],
  ['#random', 'Cats and dogs'],
  ['#help', 'Questions'],
]
test.each([
  ['commas', machine.map(commas), 'What is the # of disks?', 2],
  ['tabs', machine.map(tabs), 'What is the # of cpus?', 1],
  ['tags', channels.map(tabs), 'What is channel #random about?', 1],
])('a row that begins with a number sign is quoted: %s', async (_, rows, asked, row) => {
  const { id } = await learned(rows.join('\n'))
  const body = { query: asked, store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answer.split('\n').at(-1)).toBe(rows[row])
})

test.each([
  [
    'cells of several words in their columns',
    [
      ['From', 'To', 'Fare'],
      ['New York', 'Los Angeles', '200'],
      ['Los Angeles', 'New York', '210'],
    ],
    'What is the fare from Los Angeles to New York?',
    2,
  ],
  [
    'a cell of capitals beside a number that the head has',
    [
      ['Team', 'Q1', 'Q2'],
      ['Sales', '10', '20'],
      ['IT', '8', '9'],
      ['Works', '7', '6'],
    ],
    'How much did IT have in Q1?',
    2,
  ],
])('a row is named by %s', async (_, rows, asked, row) => {
  const { id } = await learned(rows.map(commas).join('\n'))
  const body = { query: asked, store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answer.split('\n').at(-1)).toBe(commas(rows[row]!))
})

test('several comments may stand above the head of a table', async () => {
  const rows = [
    ['id', 'animal', 'food'],
    ['1', 'cow', 'grass'],
    ['2', 'cat', 'fish'],
    ['3', 'dog', 'meat'],
  ]
  const { id } = await learned(
    ['# exported 2024-01-03', '# by ann', ...rows.map(commas)].join('\n'),
  )
  const body = { query: 'What is the food of the cat?', store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answer).toBe('id,animal,food\n2,cat,fish')
})

const kinds = ['Swedish Krona', 'Baht', 'Tala', 'Zloty', 'Rand', 'Codes of no currency']
const coins = kinds.map((name, n) => ({ alpha_3: `C${'ABDEFG'[n]}K`, name, numeric: `${n}52` }))
test.each([
  ['Which currency has the code CDK?', 2],
  ['What is the alpha-3 code of the Baht?', 1],
])('an object is named by a value of it, and a column by its name: %s', async (asked, row) => {
  const { id } = await learned(JSON.stringify({ coins }, null, 2))
  const body = { query: asked, store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(JSON.parse(data.answer)).toEqual(coins[row])
})

const regions = Array.from({ length: 120 }, (_, n) => [
  `Region ${n}`,
  ...[3, 5, 7, 9].map((by) => by * n),
])

test.each([
  ['names with years', ['Region,Sales 2024,Costs 2024,Sales 2025,Costs 2025']],
  ['names below those of groups', [',2024,,2025,', 'Region,Sales,Costs,Sales,Costs']],
  ['names beside those of groups', ['Region,2024,,2025,', ',Sales,Costs,Sales,Costs']],
  [
    'names below those of groups, which end early',
    [',2024,,2025', 'Region,Sales,Costs,Sales,Costs'],
  ],
  ['years below the name of a group', [',Costs,,,', 'Region,2023,2024,2025,2026']],
  ['years below names of groups', [',Sales,,Costs,', 'Region,2024,2025,2024,2025']],
])('a row below %s is quoted with all names, and none for another number', async (_, head) => {
  const { id } = await learned([...head, ...regions.map((cells) => cells.join(','))].join('\n'))
  const ask = async (region: string) => {
    const body = { query: `What were the costs of ${region} in 2025?`, store: false }
    const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
    return data.answered ? data.answer : undefined
  }
  for (const n of [2, 60, 119])
    expect(await ask(`Region ${n}`)).toBe([...head, regions[n]!.join(',')].join('\n'))
  expect(await ask('Region 305')).toBeUndefined()
  expect(await ask('Zorg')).toBeUndefined()
})

const rules = [
  ['Name', 'Default', 'Says'],
  ['fog_lamp', '40 W', 'how bright'],
  ['anchor', '12 m', 'how deep'],
  ['pilot', '3 h', 'how long'],
]
const tagged = (cells: string[], n: number) => {
  const tag = n === 0 ? 'th' : 'td'
  const lines = cells.map((cell) => `    <${tag} style="text-align: left;">${cell}</${tag}>`)
  return `<tr>\n${lines.join('\n')}\n  </tr>`
}
const barred = (cells: string[]) => cells.map((cell) => `|${cell}`).join('\n')
const [tags, bars] = [rules.map(tagged), rules.map(barred)]

test.each([
  [
    'tags',
    tags,
    `<table>\n<thead>\n  ${tags[0]}\n</thead>\n<tbody>\n  ${tags.slice(1).join('\n  ')}\n</tbody>\n</table>`,
  ],
  ['tags in a single line', tags, `<table>${tags.join('')}</table>`],
  ['AsciiDoc', bars, `[cols="1,1,2a",options="header"]\n|===\n${bars.join('\n\n')}\n|===`],
  [
    'AsciiDoc, of which the columns are counted',
    ['|Name |Default |Says', ...bars.slice(1)],
    `|===\n|Name |Default |Says\n\n${bars.slice(1).join('\n')}\n|===`,
  ],
  [
    'MediaWiki',
    [bars[0]!.replaceAll('|', '! scope="col" | '), ...bars.slice(1)],
    `{| class="wikitable"\n|+ Rules\n|-\n${bars[0]!.replaceAll('|', '! scope="col" | ')}\n|-\n${bars.slice(1).join('\n|-\n')}\n|}`,
  ],
])('a row whose cells have lines of their own, in %s, is quoted whole', async (_, rows, table) => {
  const text = `# Rules\n\nAll rules of the boat.\n\n${table}\n\nA crew keeps them.\n`
  const { id } = await learned(text)
  for (const [n, [name]] of rules.entries()) {
    if (n === 0) continue
    const body = { query: `What is the default of ${name}?`, store: false }
    const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
    expect(data.answer).toBe(`${rows[0]}\n${rows[n]}`)
    for (const { quote } of data.citations)
      expect(text.slice(quote.start, quote.end)).toBe(quote.text)
  }
})

test.each([
  ['', '\n\nGuests are welcome.\n'],
  ['at the end', '\n'],
  ['above another', '\n\n| Name | Fee |\n| --- | --- |\n| Bo | 3 |\n'],
])('the only row of a table is quoted, though it is written as a head: %s', async (_, below) => {
  const row = '| Treasurer | Cilla Ek |'
  const { id } = await learned(
    `# Club\n\nThe club meets on Friday.\n\n${row}\n| --- | --- |${below}`,
  )
  const body = { query: 'Who is the treasurer?', store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answer).toContain(row)
})

const parishes = Array.from({ length: 90 }, (_, n) => [
  `${fruits[n % 5]}ton ${n}`,
  `${37 * n + 400}`,
  `${n + 2} km`,
])
const columns = ['Name', 'People', 'Way']
const lined = (cells: string[]) => `|${cells.join(' |')}`
const wiki = (sign: string) => (cells: string[]) =>
  cells.map((cell) => `${sign} ${cell}`).join('\n')
const rowOf = (cells: string[], n: number) => tagged(cells, n + 1)

test.each([
  ['tags', tagged(columns, 0), rowOf, '<table>\n', '\n', '\n</table>'],
  ['MediaWiki', wiki('!')(columns), wiki('|'), '{| class="wikitable"\n|-\n', '\n|-\n', '\n|}'],
  ['AsciiDoc', barred(columns), barred, '[%header,cols=3*]\n|===\n', '\n', '\n|==='],
  ['AsciiDoc with lines', lined(columns), lined, '|===\n', '\n', '\n|==='],
])(
  'each row of a long table in %s is quoted whole, with its head',
  async (kind, head, write, open, between, close) => {
    const rows = parishes.map(write)
    const table = `${open}${head}${kind.endsWith('lines') ? '\n' : ''}${between}${rows.join(between)}${close}`
    const { id, datastoreId } = await learned(
      `All parishes are old.\n\n${table}\n\nSo much of them.\n`,
    )
    for (let n = 0; n < parishes.length; n += 8) {
      const body = { query: `How many people are in ${parishes[n]![0]}?`, store: false }
      const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
      expect(data.answer).toBe(`${head}\n${rows[n]}`)
    }
    const found = await query(client, datastoreId, { query: 'parishes people', topK: 100 })
    for (const row of rows)
      expect(
        found.some(({ text }) => text.includes(row)),
        row,
      ).toBe(true)
  },
)

const saying = 'It says when the cache is written, and what is lost where power is cut. '

test.each<[string, string, string, string]>([
  [
    'below cells that span rows',
    '[options="header"]\n|===\n|System |Version |Until\n.2+|Debian |11 |May\n|12 |June\n.2+|Ubuntu |22 |July\n|24 |August\n|===',
    'Until when is Debian 12?',
    '|System |Version |Until\n|12 |June',
  ],
  [
    'below a cell that spans columns',
    '[cols="1,2*",options="header"]\n|===\n|Item\n|Summer\n|Winter\n\n3+|Boats\n|Canoe\n|12\n|8\n|===',
    'What does a canoe cost in winter?',
    '|Item\n|Summer\n|Winter\n|Canoe\n|12\n|8',
  ],
  [
    'of as many columns as are told',
    '[cols="3", options="header"]\n|===\n|Port\n|Service\n|Protocol\n\n|22\n|SSH \\| SFTP\n|TCP\n\n|53\n|DNS\n|UDP\n|===',
    'What service is on port 53?',
    '|Port\n|Service\n|Protocol\n|53\n|DNS\n|UDP',
  ],
  [
    'below another table, whose beginning is missing',
    '|Hoy |8\n|===\n\n== Ports\n\nAll ports.\n\n|===\n|Port |Service\n\n|22\n|SSH\n\n|53\n|DNS\n|===',
    'What service is on port 53?',
    '|Port |Service\n|53\n|DNS',
  ],
  [
    'beside a long one',
    `|===\n|Name |Default |Says\n\n|cache.size\n|64 MB\n|how large\n\n|cache.mode\n|lazy\n|${saying.repeat(11)}\n\n|cache.dir\n|/var/cache\n|where\n|===`,
    'What is the default of cache.size?',
    '|Name |Default |Says\n|cache.size\n|64 MB\n|how large',
  ],
  [
    'with a picture',
    `<table>\n<tr><th>Browser</th><th>Since</th></tr>\n${['Chrome', 'Firefox'].map((name, n) => `<tr><td><img src="https://x.example/logos/${name}.png" width="24"/> ${name}</td><td>8${n}</td></tr>`).join('\n')}\n</table>`,
    'Since when Firefox?',
    '<tr><th>Browser</th><th>Since</th></tr>\n<tr><td><img src="https://x.example/logos/Firefox.png" width="24"/> Firefox</td><td>81</td></tr>',
  ],
  [
    'below two rows of names',
    '{|\n! colspan="2" | Pan !! Lid\n|-\n! Name !! Weight !! Weight\n|-\n| Wok || 2 kg || 1 kg\n|-\n| Pot || 3 kg || 2 kg\n|}',
    'weight of the wok',
    '! colspan="2" | Pan !! Lid\n|-\n! Name !! Weight !! Weight\n| Wok || 2 kg || 1 kg',
  ],
  [
    'of the second of two tables',
    `<table>\n${tags.slice(0, 2).join('\n')}\n</table>\n<table>\n<tr><th>Boat</th><th>Seats</th></tr>\n<tr><td>Canoe</td><td>3</td></tr>\n</table>`,
    'seats of the canoe',
    '<tr><th>Boat</th><th>Seats</th></tr>\n<tr><td>Canoe</td><td>3</td></tr>',
  ],
  [
    'below names in tags that say their width',
    '<table>\n<tr><td width="50%">Pan</td><td width="50%">Weight</td></tr>\n<tr><td>Wok</td><td>2 kg</td></tr>\n<tr><td>Crêpière</td><td>1 kg</td></tr>\n</table>',
    'weight of the wok',
    '<tr><td width="50%">Pan</td><td width="50%">Weight</td></tr>\n<tr><td>Wok</td><td>2 kg</td></tr>',
  ],
])('a row %s is quoted, and no other', async (_, text, asked, answer) => {
  const { id } = await learned(`${text}\n`)
  const body = { query: asked, store: false }
  const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
  expect(data.answer).toBe(answer)
})

test('tables that lay out a page, those in code and those inside a line have no rows', async () => {
  const card = (name: string) => `<tr><td>\n\n\`\`\`sh\nnpm i ${name}\n\`\`\`\n\n</td></tr>`
  const line = `Knots for sheets: <table>${tags.slice(2).join('').replaceAll('\n', '')}</table>`
  const shown = `\`\`\`html\n<table>\n${tags.slice(2).join('\n')}\n</table>\n\`\`\``
  const { id } = await learned(
    `# Boats\n\n<table>\n${card('boats')}\n${card('sails')}\n</table>\n\n# Writing tables\n\nWrite it so:\n\n${shown}\n\n${line}\n`,
  )
  const ask = async (asked: string) => {
    const body = { query: asked, store: false }
    const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
    return data.answer
  }
  expect(await ask('Which knots for sheets?')).toContain(line)
  expect(await ask('npm i sails')).toBe('```sh\nnpm i sails\n```')
  expect(await ask('Writing tables')).toContain(shown)
})

async function learned(text: string) {
  const datastoreId = await makeDatastore(client)
  await upsert(client, datastoreId, text)
  const { id } = await makeAgent(client)
  const body = { datastoreIds: [datastoreId] }
  await sdk.putKnowledge({ client, path: { id }, body, throwOnError: true })
  return { id, datastoreId }
}
