import { isDeepStrictEqual } from 'node:util'
import { isNumber } from '../text/table-lines.ts'
import { atSharedSpaces, type Column, inColumns, joined, rowOf } from './pdf-cells.ts'
import { isFilled, spanned } from './markdown.ts'
import { gapsBetween, type PdfLine } from './pdf-lines.ts'
import { median } from './pdf-rows.ts'
import { areInColumns, columnsOf } from './pdf-table-columns.ts'

/** Lines of a page from `first` to before `end` that are drawn as a table; the first row names the columns. */
export type PdfTable = { first: number; end: number; rows: string[][]; columns: Column[] }

const minRows = 3
const minRowsAlone = 5
const [minColumns, maxColumns] = [3, 64]
/** In sizes of the letters, between the lines of one table. */
const maxGap = 3.5
/** Fewer filled cells than this share are no table. */
const minFilled = 0.5
const maxHeadLines = 4
const maxSingle = 2
/** The number of a page, which may stand above or below its text. */
const pageNumber = /^(?:\p{L}+\.? )?\d+(?: ?(?:of|von|sur|de|z|\/) ?\d+)?$/u

/** Finds the tables of each page. One that goes on from the page before has the names of its columns again. */
export function drawnTables(pages: PdfLine[][]): PdfTable[][] {
  let before: PdfTable | undefined
  return pages.map((lines) => {
    const own = tablesOf(lines)
    const tables = before ? withHeadOf(before, own, lines) : own
    const last = tables.at(-1)
    before = last && lines.slice(last.end).every(isBeside) ? last : undefined
    return tables
  })
}

const isBeside = ({ text }: PdfLine): boolean => pageNumber.test(text.trim())

function withHeadOf(before: PdfTable, tables: PdfTable[], lines: PdfLine[]): PdfTable[] {
  const [first, ...others] = tables
  if (!first || !lines.slice(0, first.first).every(isBeside)) {
    const rest = goingOn(lines.slice(0, first?.first), before)
    return rest ? [rest, ...tables] : tables
  }
  const isNamed = first.rows[0]!.some(Boolean)
  if (isNamed || !areAlike(first.columns, before.columns)) return tables
  return [{ ...first, rows: [before.rows[0]!, ...first.rows.slice(1)] }, ...others]
}

const areAlike = (columns: Column[], others: Column[]): boolean =>
  columns.length === others.length && areInColumns(columns, others)

/** Finds tables by their cells, which stand below one another, and by their numbers. */
function tablesOf(lines: PdfLine[]): PdfTable[] {
  const tables: PdfTable[] = []
  for (let next = 0, end = 0; next < lines.length; next = Math.max(end, next + 1)) {
    end = endOfRun(lines, next)
    const first = next + startOf(lines.slice(next, end))
    const drawn = lines.slice(first, end)
    if (!isTable(drawn)) continue
    const of = atSharedSpaces(drawn)
    const columns = columnsOf(of)
    const rows = withHead(
      withoutWraps(
        of.map((line) => inColumns(line, columns)),
        columns,
      ),
    )
    tables.push({ first, end, rows, columns })
  }
  return tables
}

/** The rows at the top of a page that stand in the columns of the table at the end of the page before. */
function goingOn(below: PdfLine[], { rows: [head], columns }: PdfTable): PdfTable | undefined {
  const lines = below.map((line) => inColumns(line, columns))
  const isRow = ({ cells }: PdfLine) =>
    2 * cells.length > columns.length && areInColumns(cells, columns)
  const first = lines.findIndex((line) => !isBeside(line))
  if (first < 0 || !isRow(lines[first]!)) return undefined
  const run = lines.slice(first, endOfRun(lines, first))
  const wrong = run.findIndex(({ cells }) => !areInColumns(cells, columns))
  const rowLines = wrong < 0 ? run : run.slice(0, wrong)
  if (!rowLines.some(hasNumber)) return undefined
  const rows = withoutWraps(rowLines, columns)
  const [top] = rows
  if (rows.length === 1 && top!.includes('')) return undefined
  const isHead = head!.some(Boolean) ? isDeepStrictEqual(top, head) : !top!.some(isNumber)
  if (!isHead && !head!.some(Boolean)) return undefined
  return { first, end: first + rowLines.length, rows: isHead ? rows : [head!, ...rows], columns }
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
  let [end, singles] = [first, 0]
  for (let next = first; next < lines.length; next++) {
    const line = lines[next]!
    if (next > first && (!isBelow(line, lines[next - 1]!) || isTitle(line, lines[next - 1]!))) break
    if (line.cells.length > 1) [end, singles] = [next + 1, 0]
    else if (next === first) break
    else if (!isInLaterCell(line, lines[end - 1]) && ++singles > maxSingle) break
  }
  return end
}

/** Whether a line begins where a cell above does, and ends before the next one; a paragraph begins where the first does. */
function isInLaterCell({ cells: [only] }: PdfLine, row: PdfLine | undefined): boolean {
  const at = row?.cells.findIndex(({ left }) => Math.abs(left - only!.left) < 1) ?? -1
  const next = row?.cells[at + 1]
  return at > 0 && next !== undefined && only!.right < next.left
}

const minTitle = 1.15

const isTitle = ({ cells, size }: PdfLine, before: PdfLine): boolean =>
  cells.length === 1 && size > minTitle * before.size

const isBelow = (line: PdfLine, before: PdfLine): boolean =>
  before.y > line.y && before.y - line.y < maxGap * Math.max(line.size, before.size)

function isTable(lines: PdfLine[]): boolean {
  const columns = columnsOf(lines)
  if (lines.length < minRows) return false
  if (columns.length < minColumns || columns.length > maxColumns) return false
  const rows = withoutWraps(lines, columns)
  const filled = rows.flat().filter(isFilled).length
  const numbers = rows.filter((row) => row.some(isNumber)).length
  const areFilled = filled >= minFilled * rows.length * columns.length
  const isNamed = !rows[0]!.some(isNumber)
  return areFilled && 2 * numbers >= rows.length && (isNamed || rows.length >= minRowsAlone)
}

/** In gaps of rows: a line that is nearer goes on in the cells above. */
const maxWrap = 0.85

function withoutWraps(lines: PdfLine[], columns: Column[]): string[][] {
  const gaps = gapsBetween(lines)
  const usual = median(gaps.filter((_, index) => lines[index + 1]!.cells.length > 1))
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
    joined(...rows.slice(0, lines).map((row) => nameOver(row, column))),
  )
  return [head, ...rows.slice(lines)]
}

const nameOver = (row: string[], column: number): string =>
  row.slice(0, column + 1).findLast((name) => name !== spanned) ?? ''
