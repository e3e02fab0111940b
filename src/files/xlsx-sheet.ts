import { isControl } from './is-text.ts'
import { linkTarget } from './link-target.ts'
import { isFilled, spanned } from './markdown.ts'
import { broken } from './refusals.ts'
import { referenceIn, type Related } from './relationships.ts'
import { textOfDate, type XlsxNumbers } from './xlsx-numbers.ts'
import { type Attributes, readPlainXml } from './xml.ts'

export type Workbook = {
  strings: string[] | undefined
  numbers: XlsxNumbers
  related: Related
}
type Cell = { type: string; style: number; column: number; value: string; formula: string }
type Rows = Map<number, string[]>
type Place = { row: number; column: number }
type Range = { first: Place; last: Place }

const maxColumns = 1_024
/** A longer merged region only serves to exhaust memory. */
const maxRepeated = 10_000

/** Rows of cells. A row that is one merged cell has one item, and a skipped row has none. */
export function rowsOfSheet(xml: Uint8Array | undefined, workbook: Workbook): string[][] {
  const reader = new SheetReader(workbook)
  readPlainXml(xml, reader)
  const { rows, links, merged } = reader
  for (const [place, target] of links) addLink(rows, place, target)
  const width = Array.from(rows.values()).reduce((max, { length }) => Math.max(max, length), 0)
  for (const range of merged) repeat(rows, range, width)
  return withSections(rows, merged, width)
}

class SheetReader {
  readonly rows: Rows = new Map()
  readonly merged: Range[] = []
  readonly links: [Place, target: string][] = []
  readonly #workbook: Workbook
  #cell: Cell = { type: '', style: 0, column: 0, value: '', formula: '' }
  #tag = ''
  #isReading = false
  #number = 0

  constructor(workbook: Workbook) {
    this.#workbook = workbook
  }

  readonly onopentag = (name: string, attributes: Attributes): void => {
    const { r = '', t = 'n', s = '0', ref = '' } = attributes
    this.#tag = name
    if (name === 'rPh') this.#isReading = true
    if (name === 'row') this.#beginRow(Number(r) || this.#number + 1)
    if (name === 'c') {
      const { column } = placeOf(r)
      this.#cell = { type: t, style: Number(s), column, value: '', formula: '' }
    }
    if (name === 'mergeCell') this.merged.push(rangeOf(ref))
    if (name !== 'hyperlink') return
    const target = this.#workbook.related.get(referenceIn(attributes))?.target ?? ''
    this.links.push([rangeOf(ref).first, target])
  }

  readonly ontext = (text: string): void => {
    const isValue = this.#tag === 'v' || this.#tag === 't'
    if (isValue && !this.#isReading) this.#cell.value += text
    if (this.#tag === 'f') this.#cell.formula += text
  }

  readonly onclosetag = (name: string): void => {
    this.#tag = ''
    if (name === 'rPh') this.#isReading = false
    if (name === 'c') this.#endCell(this.#cell)
  }

  #beginRow(number: number): void {
    this.#number = number
    this.rows.set(number, [])
  }

  #endCell(cell: Cell): void {
    const row = this.rows.get(this.#number)
    if (!row || cell.column >= maxColumns) return
    while (row.length < cell.column) row.push('')
    row.push(textOf(cell, this.#workbook).replace(/\s+/g, ' ').trim())
  }
}

/** The rows in their order: one that is merged as a whole alone in its array, and an empty one where some are left out. */
function withSections(rows: Rows, merged: Range[], width: number): string[][] {
  const isWide = ({ first, last }: Range) => first.column === 0 && last.column >= width - 1
  const merges = new Set(merged.filter(isWide).map(({ first }) => first.row))
  return [...rows]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([row, cells], index, all) => {
      const isApart = index > 0 && row > all[index - 1]![0] + 1
      const [text, ...others] = cells.filter(isFilled)
      const isMerged = text !== undefined && others.length === 0 && merges.has(row)
      const shown = isMerged ? [text] : cells.length === 1 ? [...cells, ''] : cells
      return isApart ? [[], shown] : [shown]
    })
}

/** A formula without a stored result stands for itself. */
function textOf({ type, style, value, formula }: Cell, { strings, numbers }: Workbook): string {
  if (value === '' && formula !== '' && type === 'n') return `=${formula}`
  if (type === 's') return value === '' ? '' : sharedText(strings, Number(value))
  if (type === 'b' && value !== '') return value === '1' ? 'TRUE' : 'FALSE'
  if (type === 'd') return textOfDate(value)
  return type === 'n' ? numbers.textOf(value, style) : unescaped(value)
}

/** @throws ServiceError `unreadable_file` where the workbook has lost its texts */
function sharedText(strings: string[] | undefined, place: number): string {
  if (!strings) throw broken()
  return unescaped(strings[place] ?? '')
}

/** Excel writes characters that XML has no place for as `_x000D_`, and a text that looks so as `_x005F_x000D_`. */
const unescaped = (text: string): string =>
  text.replace(/_x(?<code>[\dA-Fa-f]{4})_/g, (_, code: string) => characterOf(parseInt(code, 16)))

const characterOf = (code: number): string => {
  const character = String.fromCharCode(code)
  return isControl(character) ? '' : character
}

function addLink(rows: Rows, { row, column }: Place, target: string): void {
  const cells = rows.get(row)
  const text = cells?.[column]
  if (!cells || !text) return
  const shown = linkTarget(target, text)
  if (shown !== '') cells[column] = `${text} (${shown})`
}

function repeat(rows: Rows, { first, last }: Range, width: number): void {
  const top = rows.get(first.row)
  const text = top?.[first.column]
  if (!top || !text) return
  const end = Math.min(last.column + 1, width)
  for (let column = first.column + 1; column < end; column++) top[column] ||= spanned
  for (let row = first.row + 1; row <= Math.min(last.row, first.row + maxRepeated); row++) {
    const cells = rows.get(row)
    if (!cells) continue
    while (cells.length < first.column) cells.push('')
    cells[first.column] ||= text
  }
}

const rangeOf = (reference: string): Range => {
  const [first = '', last = first] = reference.split(':')
  return { first: placeOf(first), last: placeOf(last) }
}

/** Rows are from 1 and columns from 0; `B7` is in column 1. */
function placeOf(reference: string): Place {
  const letters = reference.match(/^[A-Z]{1,3}/)?.[0] ?? 'A'
  const column = [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1
  return { row: Number(reference.slice(letters.length)) || 0, column }
}
