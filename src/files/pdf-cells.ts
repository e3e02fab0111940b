import type { Cell, Piece } from './pdf-lines.ts'

export type Column = { left: number; right: number }

/** The texts of a cell, which is several if it goes on over the space between two columns. */
export function cellsIn({ pieces, ...whole }: Cell, columns: Column[]): Piece[] {
  const cells: Piece[] = []
  for (const piece of pieces) {
    const last = cells.at(-1)
    const isApart = columns.some(
      ({ right }, column) =>
        right <= piece.left && last && last.right <= (columns[column + 1]?.left ?? 0),
    )
    if (!last || isApart) cells.push(piece)
    else {
      const { text, left } = last
      cells[cells.length - 1] = { ...piece, left, text: joined(text, piece.text) }
    }
  }
  return cells.length === 1 ? [whole] : cells
}

export const joined = (...texts: (string | undefined)[]): string => texts.filter(Boolean).join(' ')

const leader = /(?: ?\.){4,} ?/g

export function rowOf(cells: Piece[], columns: Column[]): string[] {
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
