import { isNumber } from '../text/table-lines.ts'
import type { Cell, PdfLine } from './pdf-lines.ts'

/** Lines from `first` to before `end` that are drawn as a table, with their cells by column. */
export type PdfTable = { first: number; end: number; rows: string[][] }

const minRows = 3
/** Where no line names the columns. */
const minRowsAlone = 5
const [minColumns, maxColumns] = [3, 64]
/** In sizes of the letters, between the lines of one table. */
const maxGap = 3.5
/** Fewer filled cells than this share are no table. */
const minFilled = 0.5
const maxHeadLines = 4
/** Lines of one cell in sequence. */
const maxSingle = 2

/** Finds tables by their cells, which stand below one another, and by their numbers. */
export function drawnTables(lines: PdfLine[]): PdfTable[] {
  const tables: PdfTable[] = []
  for (let next = 0, end = 0; next < lines.length; next = Math.max(end, next + 1)) {
    end = endOfRun(lines, next)
    const first = next + startOf(lines.slice(next, end))
    const rows = rowsOf(lines.slice(first, end))
    if (rows) tables.push({ first, end, rows })
  }
  return tables
}

/** The index of the first row of numbers with most of the cells, or of the lines without numbers above it. */
function startOf(lines: PdfLine[]): number {
  const most = lines.reduce((max, { cells }) => Math.max(max, cells.length), 0)
  const row = lines.findIndex((line) => 2 * line.cells.length > most && hasNumber(line))
  if (row < 0) return lines.length
  let start = row
  while (start > 0 && row - start < maxHeadLines && !hasNumber(lines[start - 1]!)) start -= 1
  return start
}

const hasNumber = ({ cells }: PdfLine): boolean => cells.some(({ text }) => isNumber(text))

/** A line of one cell is in a run if rows follow, because the text of a cell goes on in it. */
function endOfRun(lines: PdfLine[], first: number): number {
  let end = first
  for (let next = first; next < lines.length; next++) {
    const line = lines[next]!
    if (next > first && !isBelow(line, lines[next - 1]!)) break
    if (line.cells.length > 1) end = next + 1
    else if (next === first || next - end >= maxSingle) break
  }
  return end
}

const isBelow = (line: PdfLine, before: PdfLine): boolean =>
  before.y > line.y && before.y - line.y < maxGap * Math.max(line.size, before.size)

function rowsOf(lines: PdfLine[]): string[][] | undefined {
  if (lines.length < minRows) return undefined
  const most = lines.reduce((max, { cells }) => Math.max(max, cells.length), 0)
  if (most < minColumns || most > maxColumns) return undefined
  const columns = columnsOf(lines)
  const rows = withoutWraps(lines, columns)
  const filled = rows.flat().filter((text) => text !== '').length
  const numbers = rows.filter((row) => row.some(isNumber)).length
  const isTable = filled >= minFilled * rows.length * columns.length && 2 * numbers >= rows.length
  const isNamed = !rows[0]!.some(isNumber)
  return isTable && (isNamed || rows.length >= minRowsAlone) ? withHead(rows) : undefined
}

type Column = { left: number; right: number }

/** Those of the row with most cells, as wide as the cells of others that are in one of them alone. */
function columnsOf(lines: PdfLine[]): Column[] {
  const [most, ...others] = lines.toSorted((a, b) => b.cells.length - a.cells.length)
  const columns = most!.cells.map(({ left, right }) => ({ left, right }))
  for (const { left, right } of others.flatMap(({ cells }) => cells)) {
    const [column, ...more] = columns.filter((one) => one.left < right && left < one.right)
    if (!column || more.length > 0) continue
    column.left = Math.min(column.left, left)
    column.right = Math.max(column.right, right)
  }
  return columns
}

const joined = (...texts: (string | undefined)[]): string => texts.filter(Boolean).join(' ')

const leader = /(?: ?\.){4,} ?/g

function rowOf(cells: Cell[], columns: Column[]): string[] {
  const row = columns.map(() => '')
  for (const { text: drawn, left, right } of cells) {
    const text = drawn.replace(leader, ' ').trim()
    const overlaps = columns.map(
      (column) => Math.min(column.right, right) - Math.max(column.left, left),
    )
    const column = overlaps.indexOf(Math.max(...overlaps))
    row[column] = joined(row[column], text)
  }
  return row
}

/** In gaps of rows: a line that is nearer goes on in the cells above. */
const maxWrap = 0.85

function withoutWraps(lines: PdfLine[], columns: Column[]): string[][] {
  const gaps = lines.slice(1).map(({ y }, index) => lines[index]!.y - y)
  const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)]!
  const rows: string[][] = []
  for (const [index, { cells }] of lines.entries()) {
    const row = rowOf(cells, columns)
    const last = rows.at(-1)
    const isWrap = last && cells.length === 1 && gaps[index - 1]! < maxWrap * usual
    if (isWrap) rows[rows.length - 1] = last.map((text, column) => joined(text, row[column]))
    else rows.push(row)
  }
  return rows
}

/** Joins the first lines, which name the columns, into one row; without any, the head is empty. */
function withHead(rows: string[][]): string[][] {
  const lines = rows.slice(0, maxHeadLines + 1).findIndex((row) => row.some(isNumber))
  if (lines < 0) return rows
  const head = rows[0]!.map((_, column) =>
    joined(...rows.slice(0, lines).map((row) => row[column])),
  )
  return [head, ...rows.slice(lines)]
}
