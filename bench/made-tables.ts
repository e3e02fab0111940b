/** Tables as people have them, the same in every run. */
import { docxOfBody, xlsxOf } from '../test/support/documents/packages.ts'
import { Random } from '../test/support/random.ts'

type Kind = 'csv' | 'md' | 'xlsx' | 'html' | 'docx'

/** The first column is the key. `ask` names a row by its key or by the cell of another column. */
type Language = {
  head: string[]
  ask: Record<'key' | 'other', ((cell: string) => string)[]>
  shelf: (n: number) => string
}

/** A file of a table, and the keys of its rows. */
type MadeTable = {
  name: string
  bytes: Buffer
  keys: string[]
  rows: string[][]
  language: Language
}
export type TableQuestion = { query: string; table: number; row: string[] }

const english: Language = {
  head: ['Article', 'Price', 'Shelf', 'Supplier'],
  shelf: (n) => `aisle ${n}`,
  ask: {
    key: [
      (key) => `What is the price of ${key}?`,
      (key) => `Which supplier has ${key}?`,
      (key) => `shelf of ${key}`,
    ],
    other: [(shelf) => `Which article is on ${shelf}?`, (shelf) => `What stands in ${shelf}?`],
  },
}

/** Its head has none of the words of its questions. */
const terse: Language = {
  head: ['No.', 'EUR', 'Pos.', 'Via'],
  shelf: (n) => `rack ${n}`,
  ask: {
    key: [(key) => `How much does ${key} cost?`, (key) => `Where do I find ${key}?`],
    other: [(shelf) => `What do we keep in ${shelf}?`],
  },
}

const german: Language = {
  head: ['Artikel', 'Preis', 'Regal', 'Lieferant'],
  shelf: (n) => `Gang ${n}`,
  ask: {
    key: [
      (key) => `Was kostet ${key}?`,
      (key) => `Wie hoch ist der Preis von ${key}?`,
      (key) => `Welcher Lieferant führt ${key}?`,
    ],
    other: [(shelf) => `Welcher Artikel liegt in ${shelf}?`],
  },
}

const chinese: Language = {
  head: ['商品', '价格', '货架', '供应商'],
  shelf: (n) => `第${n}号货架`,
  ask: {
    key: [(key) => `${key}的价格是多少？`, (key) => `${key}的供应商是谁？`],
    other: [(shelf) => `${shelf}上是什么商品？`],
  },
}

const sizes: [Kind, number, Language][] = [
  ['csv', 10, english],
  ['csv', 120, terse],
  ['csv', 500, german],
  ['md', 40, english],
  ['md', 300, terse],
  ['md', 60, chinese],
  ['xlsx', 25, german],
  ['xlsx', 500, english],
  ['html', 80, terse],
  ['html', 200, german],
  ['docx', 30, english],
  ['docx', 150, chinese],
]

const woods = ['oak', 'pine', 'ash', 'walnut', 'cherry', 'maple', 'birch', 'elm']
const things = ['chair', 'table', 'stool', 'shelf', 'lamp', 'bench', 'desk', 'bed', 'chest']
const makers = ['Berg', 'Lind', 'Vasa', 'Moor', 'Quist', 'Tarn', 'Holm', 'Fell']

export function makeTables(): MadeTable[] {
  const random = new Random(1)
  return sizes.map(([kind, size, language], index) => {
    const rows = Array.from({ length: size }, (_, n) => {
      const thing = `${random.pick(woods)} ${random.pick(things)}`
      const price = `${10 + random.below(900)}.${10 + random.below(90)}`
      const key = index % 2 === 0 ? `${thing} ${100 + n}` : `AX${1000 + n}`
      return [
        key,
        price,
        language.shelf(301 + 7 * n),
        `${random.pick(makers)} & ${random.pick(makers)}`,
      ]
    })
    const bytes = written[kind]([language.head, ...rows])
    const name = `table-${index}.${kind}`
    return { name, bytes, rows, language, keys: rows.map(([key]) => key!) }
  })
}

/** Questions of each table in turn. */
export function makeQuestions(
  tables: MadeTable[],
  by: 'key' | 'other',
  count: number,
): TableQuestion[] {
  const random = new Random(2)
  return Array.from({ length: count }, (_, n) => {
    const { rows, language } = tables[n % tables.length]!
    const row = random.pick(rows)
    const query = random.pick(language.ask[by])(by === 'key' ? row[0]! : row[2]!)
    return { query, table: n % tables.length, row }
  })
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;')

const htmlRow = (cells: string[], tag: string): string =>
  `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`

const wordRow = (cells: string[]): string =>
  `<w:tr>${cells.map((cell) => `<w:tc><w:p><w:r><w:t>${escaped(cell)}</w:t></w:r></w:p></w:tc>`).join('')}</w:tr>`

const written: Record<Kind, (rows: string[][]) => Buffer> = {
  csv: (rows) => Buffer.from(rows.map((row) => row.join(',')).join('\r\n')),
  md: ([head = [], ...rows]) =>
    Buffer.from(
      [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n'),
    ),
  xlsx: (rows) => xlsxOf('Stock', rows),
  html: ([head = [], ...rows]) =>
    Buffer.from(
      `<!doctype html><title>Stock</title><h1>Stock</h1><table>${htmlRow(head, 'th')}${rows.map((row) => htmlRow(row, 'td')).join('')}</table>`,
    ),
  docx: (rows) => docxOfBody(`<w:tbl>${rows.map(wordRow).join('')}</w:tbl>`),
}
