import type { FileText } from './file-text.ts'
import { headingLine, tableLines } from './markdown.ts'
import { referenceIn, relationshipsOf } from './relationships.ts'
import { textOfDate, XlsxNumbers } from './xlsx-numbers.ts'
import { readPlainXml } from './xml.ts'
import { readEntries } from './zip.ts'

const wanted =
  /^xl\/(?:workbook|sharedStrings|styles|worksheets\/[^/]+)\.xml$|^xl\/_rels\/workbook\.xml\.rels$/
const workbookPart = 'xl/workbook.xml'
const maxColumns = 1_024

/** The cells of each sheet that is shown as a table below its name. */
export function readXlsx(bytes: Uint8Array): FileText {
  const entries = readEntries(bytes, wanted)
  const strings = sharedStrings(entries.get('xl/sharedStrings.xml'))
  const { sheets, startsIn1904 } = workbookOf(entries)
  const numbers = new XlsxNumbers(entries.get('xl/styles.xml'), startsIn1904)
  const texts = sheets.flatMap(({ name, target }) => {
    const lines = tableLines(rowsOf(entries.get(target), strings, numbers))
    return lines.length > 0 ? [`${headingLine(1, name)}\n\n${lines.join('\n')}`] : []
  })
  return { text: texts.join('\n\n'), pages: null }
}

type Entries = ReadonlyMap<string, Uint8Array>

type Workbook = { sheets: { name: string; target: string }[]; startsIn1904: boolean }

function workbookOf(entries: Entries): Workbook {
  const targets = relationshipsOf(entries, workbookPart)
  const workbook: Workbook = { sheets: [], startsIn1904: false }
  readPlainXml(entries.get(workbookPart), {
    onopentag: (tag, attributes) => {
      const { name = '', state = 'visible', date1904 = '' } = attributes
      if (tag === 'workbookPr') workbook.startsIn1904 = /^(?:1|true)$/.test(date1904)
      if (tag !== 'sheet' || state !== 'visible') return
      const { type = 'worksheet', target = '' } = targets.get(referenceIn(attributes)) ?? {}
      // Others have charts alone.
      if (type === 'worksheet') workbook.sheets.push({ name, target })
    },
  })
  return workbook
}

/** Without how they are read aloud (`rPh`), which Japanese texts have. */
function sharedStrings(xml: Uint8Array | undefined): string[] {
  const strings: string[] = []
  let [tag, isReading] = ['', false]
  if (!xml) return strings
  readPlainXml(xml, {
    onopentag: (name) => {
      if (name === 'si') strings.push('')
      if (name === 'rPh') isReading = true
      tag = name
    },
    ontext: (text) => {
      if (tag === 't' && !isReading) strings.push(strings.pop() + text)
    },
    onclosetag: (name) => {
      if (name === 'rPh') isReading = false
      tag = ''
    },
  })
  return strings
}

type Cell = { type: string; style: number; column: number; value: string }

function rowsOf(xml: Uint8Array | undefined, strings: string[], numbers: XlsxNumbers): string[][] {
  const rows: string[][] = []
  let cell: Cell = { type: '', style: 0, column: 0, value: '' }
  let [tag, isReading] = ['', false]
  readPlainXml(xml, {
    onopentag: (name, { r = '', t = 'n', s = '0' }) => {
      tag = name
      if (name === 'rPh') isReading = true
      if (name === 'row') rows.push([])
      if (name === 'c') cell = { type: t, style: Number(s), column: columnOf(r), value: '' }
    },
    ontext: (text) => {
      if ((tag === 'v' || tag === 't') && !isReading) cell.value += text
    },
    onclosetag: (name) => {
      tag = ''
      if (name === 'rPh') isReading = false
      const row = rows.at(-1)
      if (name !== 'c' || !row || cell.column >= maxColumns) return
      while (row.length < cell.column) row.push('')
      row.push(textOf(cell, strings, numbers).replace(/\s+/g, ' ').trim())
    },
  })
  return rows
}

function textOf({ type, style, value }: Cell, strings: string[], numbers: XlsxNumbers): string {
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b' && value !== '') return value === '1' ? 'TRUE' : 'FALSE'
  if (type === 'd') return textOfDate(value)
  return type === 'n' ? numbers.textOf(value, style) : value
}

/** From 0; `B7` is in column 1. */
function columnOf(reference: string): number {
  const letters = reference.match(/^[A-Z]{1,3}/)?.[0] ?? 'A'
  return [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1
}
