import type { Column } from './pdf-cells.ts'
import type { Cell, PdfLine } from './pdf-lines.ts'

/** Those of the row with most cells, as wide as the cells of others that are in one of them alone. */
export function columnsOf(lines: PdfLine[]): Column[] {
  const [most, ...others] = lines.toSorted((a, b) => b.cells.length - a.cells.length)
  const columns = (most?.cells ?? []).map(({ left, right }) => ({ left, right }))
  for (const { left, right } of others.flatMap(({ cells }) => cells)) {
    const [column, ...more] = columns.filter((one) => one.left < right && left < one.right)
    if (!column || more.length > 0) continue
    column.left = Math.min(column.left, left)
    column.right = Math.max(column.right, right)
  }
  for (const { cells } of others) takeNumbersBehind(cells, columns)
  const first = firstColumn(others, columns[0])
  return first ? [first, ...columns] : columns
}

/** A column that has no name, as that of the hours in a timetable, stands before those that have. */
function firstColumn(lines: PdfLine[], next: Column | undefined): Column | undefined {
  const before = lines.flatMap(({ cells: [cell] }) =>
    cell && next && cell.right <= next.left ? [cell] : [],
  )
  if (2 * before.length <= lines.length) return undefined
  const left = Math.min(...before.map((cell) => cell.left))
  return { left, right: Math.max(...before.map(({ right }) => right)) }
}

const isOver = (one: Column, other: Column): boolean =>
  one.left < other.right && other.left < one.right

/** Numbers end at the right of their column, perhaps behind all of its name and nearer to that of the next one. */
function takeNumbersBehind(cells: Cell[], columns: Column[]): void {
  for (const cell of cells) {
    if (!/\p{Nd}/u.test(cell.text) || columns.some((column) => isOver(column, cell))) continue
    const column = columns.findLast(({ right }) => right <= cell.left)
    if (column && !cells.some((other) => isOver(column, other))) column.right = cell.right
  }
}

/** Whether each cell is in a column of its own. */
export function areInColumns(cells: Column[], columns: Column[]): boolean {
  const places = cells.map(({ left, right }) => {
    const [column, ...more] = columns.filter((one) => one.left < right && left < one.right)
    return more.length === 0 ? column : undefined
  })
  return !places.includes(undefined) && new Set(places).size === cells.length
}
