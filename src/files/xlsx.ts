import type { FileText } from './file-text.ts'
import { headingLine, tableLines } from './markdown.ts'
import { readXml } from './xml.ts'
import { readEntries } from './zip.ts'

const wanted =
  /^xl\/(?:workbook|sharedStrings|worksheets\/[^/]+)\.xml$|^xl\/_rels\/workbook\.xml\.rels$/
const maxColumns = 1_024

/** The cells of each sheet as a table below its name. Dates are numbers there, and stay so. */
export function readXlsx(bytes: Uint8Array): FileText {
  const entries = readEntries(bytes, wanted)
  const strings = sharedStrings(entries.get('xl/sharedStrings.xml'))
  const texts = sheetsOf(entries).flatMap(({ name, target }) => {
    const lines = tableLines(rowsOf(entries.get(`xl/${target}`), strings))
    return lines.length > 0 ? [`${headingLine(1, name)}\n\n${lines.join('\n')}`] : []
  })
  return { text: texts.join('\n\n'), pages: null }
}

type Entries = ReadonlyMap<string, Uint8Array>

function sheetsOf(entries: Entries): { name: string; target: string }[] {
  const targets = new Map<string, string>()
  readXml(entries.get('xl/_rels/workbook.xml.rels'), {
    onopentag: (_, { Id = '', Target = '' }) => targets.set(Id, Target.replace(/^\/xl\//, '')),
  })
  const sheets: { name: string; target: string }[] = []
  readXml(entries.get('xl/workbook.xml'), {
    onopentag: (tag, { name = '', 'r:id': id = '' }) => {
      if (tag === 'sheet') sheets.push({ name, target: targets.get(id) ?? '' })
    },
  })
  return sheets
}

function sharedStrings(xml: Uint8Array | undefined): string[] {
  const strings: string[] = []
  let tag = ''
  if (!xml) return strings
  readXml(xml, {
    onopentag: (name) => {
      if (name === 'si') strings.push('')
      tag = name
    },
    ontext: (text) => {
      if (tag === 't') strings.push(strings.pop() + text)
    },
    onclosetag: () => (tag = ''),
  })
  return strings
}

function rowsOf(xml: Uint8Array | undefined, strings: string[]): string[][] {
  const rows: string[][] = []
  let cell = { type: '', column: 0, value: '' }
  let tag = ''
  readXml(xml, {
    onopentag: (name, { r = '', t = '' }) => {
      tag = name
      if (name === 'row') rows.push([])
      if (name === 'c') cell = { type: t, column: columnOf(r), value: '' }
    },
    ontext: (text) => {
      if (tag === 'v' || tag === 't') cell.value += text
    },
    onclosetag: (name) => {
      tag = ''
      const row = rows.at(-1)
      if (name !== 'c' || !row || cell.column >= maxColumns) return
      while (row.length < cell.column) row.push('')
      const value = cell.type === 's' ? (strings[Number(cell.value)] ?? '') : cell.value
      row.push(value.replace(/\s+/g, ' ').trim())
    },
  })
  return rows
}

/** From 0; `B7` is in column 1. */
function columnOf(reference: string): number {
  const letters = reference.match(/^[A-Z]{1,3}/)?.[0] ?? 'A'
  return [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1
}
