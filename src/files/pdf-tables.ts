import { isDeepStrictEqual } from 'node:util'
import { isNumber } from '../text/table-lines.ts'
import { atSharedSpaces, type Column, placedInColumns, joined } from './pdf-cells.ts'
import { isFilled, spanned } from './markdown.ts'
import type { PdfLine } from './pdf-lines.ts'
import { areInColumns, columnsOf } from './pdf-table-columns.ts'
import { maxWrap, withoutWraps } from './pdf-wraps.ts'

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
    const run = lines.slice(next, end)
    const start = startOf(run)
    // No table begins with a line that goes on in a cell.
    const isWithin = run[start]?.cells.length === 1
    const first = next + (isWithin ? startOf(atSharedSpaces(run)) : start)
    const drawn = lines.slice(first, end)
    if (!isTable(drawn)) continue
    const of = atSharedSpaces(drawn)
    const columns = columnsOf(of)
    const rows = withHead(
      withoutWraps(
        of.map((line) => placedInColumns(line, columns)),
        columns,
      ),
    )
    tables.push({ first, end, rows, columns })
  }
  return tables
}

/** The rows at the top of a page that stand in the columns of the table at the end of the page before. */
function goingOn(below: PdfLine[], { rows: [head], columns }: PdfTable): PdfTable | undefined {
  const lines = below.map((line) => placedInColumns(line, columns))
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
  let [end, singles, row, rowGap] = [first, 0, lines[first]!, 0]
  for (let next = first; next < lines.length; next++) {
    const line = lines[next]!
    const before = lines[next - 1]
    if (before && next > first && (!isBelow(line, before) || isTitle(line, before))) break
    const gap = before && next > first ? before.y - line.y : 0
    const isNear = gap < maxWrap * rowGap
    const at = cellOf(line, row)
    if (line.cells.length > 1) {
      ;[end, singles] = [next + 1, 0]
      if (!isNear) [row, rowGap] = [line, gap]
    } else if (next === first) break
    else if (at > 0 && gap <= maxLineGap * line.size) end = next + 1
    // A paragraph may begin where the first cell does.
    else if (at > 0 || (at === 0 && isNear)) continue
    else if (++singles > maxSingle) break
  }
  return end
}

/** In sizes of the letters, between the lines of a cell. */
const maxLineGap = 1.5

/** Of the cells of a row, the index of the one that a line goes on in: it begins there, and ends before the next one. */
function cellOf({ cells: [only] }: PdfLine, { cells }: PdfLine): number {
  const at = cells.findIndex(({ left }) => Math.abs(left - only!.left) < 1)
  return only!.right < (cells[at + 1]?.left ?? -Infinity) ? at : -1
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
