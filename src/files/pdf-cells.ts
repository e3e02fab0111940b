import type { Cell, PdfLine } from './pdf-lines.ts'

export type Column = { left: number; right: number }

/** A line of a table, of whose cells those that go on over the space between two columns are several. */
export const inColumns = (line: PdfLine, columns: Column[]): PdfLine => ({
  ...line,
  cells: line.cells.flatMap((cell) => cellsIn(cell, columns)),
})

function cellsIn(whole: Cell, columns: Column[]): Cell[] {
  const cells: Cell[] = []
  for (const piece of whole.pieces) {
    const last = cells.at(-1)
    const isApart = columns.some(
      ({ right }, column) =>
        right <= piece.left && last && last.right <= (columns[column + 1]?.left ?? 0),
    )
    if (!last || isApart) cells.push({ ...piece, pieces: [piece] })
    else {
      const { text, left, pieces } = last
      const both = { left, text: joined(text, piece.text), pieces: [...pieces, piece] }
      cells[cells.length - 1] = { ...piece, ...both }
    }
  }
  return cells.length === 1 ? [whole] : cells
}

export const joined = (...texts: (string | undefined)[]): string => texts.filter(Boolean).join(' ')

const leader = /(?: ?\.){4,} ?/g

export function rowOf(cells: Cell[], columns: Column[]): string[] {
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
