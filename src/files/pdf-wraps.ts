import { type Column, joined, rowOf } from './pdf-cells.ts'
import { gapsBetween, type PdfLine } from './pdf-lines.ts'
import { median } from './pdf-rows.ts'

/** In gaps of rows: a line that is nearer goes on in the cells above. */
export const maxWrap = 0.85

/** The rows of a table, whose cells may go on in several lines. */
export function withoutWraps(lines: PdfLine[], columns: Column[]): string[][] {
  const gaps = gapsBetween(lines)
  const usual = median(gaps.filter((_, index) => lines[index + 1]!.cells.length > 1))
  const near = nearLines(lines, gaps)
  const rows: string[][] = []
  for (const [index, { cells }] of lines.entries()) {
    const row = rowOf(cells, columns)
    const last = rows.at(-1)
    const isNear = near?.has(index) ?? (cells.length === 1 && gaps[index - 1]! < maxWrap * usual)
    if (last && isNear)
      rows[rows.length - 1] = last.map((text, column) => joined(text, row[column]))
    else rows.push(row)
  }
  return rows
}

/** In the least gap, which is that of the lines of a cell if rows are clearly further apart. */
const [maxOfCell, minOfRows] = [1.15, 1.3]
const minRows = 3

/** Lines that go on in several cells above, where rows are further apart than the lines of a cell. */
function nearLines(lines: PdfLine[], gaps: number[]): ReadonlySet<number> | undefined {
  const least = Math.min(...gaps)
  const near = new Set(gaps.flatMap((gap, index) => (gap <= maxOfCell * least ? index + 1 : [])))
  const far = gaps.filter((gap) => gap >= minOfRows * least)
  if (far.length < minRows - 1 || near.size + far.length < gaps.length) return undefined
  let most = 0
  for (const [index, { cells }] of lines.entries()) {
    if (!near.has(index)) most = cells.length
    // Rows that stand in groups are as long as the first of each.
    else if (cells.length >= most) return undefined
  }
  return near
}
