import { isFilled, spanned } from './markdown.ts'
import type { Cell, PdfLine, Piece } from './pdf-lines.ts'

export type Column = { left: number; right: number }

/** In sizes of the letters: a text of a column may reach so far into the next one. */
const maxOver = 0.5

/** A line of a table, of whose cells those that go on over the space between two columns are several. */
export const placedInColumns = (line: PdfLine, columns: Column[]): PdfLine =>
  parted(line, (left, right) =>
    columns.some((column, index) => {
      const next = columns[index + 1]?.left ?? -Infinity
      return column.right <= right.left && left.right <= next + maxOver * line.size
    }),
  )

/** Fewer rows may have a space at one place by chance. */
const minRows = 3

/** Lines of a table, parted at each space that most of them have, and that none of them writes over. */
export function atSharedSpaces(lines: PdfLine[]): PdfLine[] {
  const pieces = lines.map(({ cells }) => cells.flatMap((cell) => cell.pieces))
  const least = Math.max(minRows, pieces.filter(({ length }) => length > 1).length / 2)
  const places = spacesIn(pieces.flat()).filter(
    (place) => pieces.filter((line) => isBetween(line, place)).length >= least,
  )
  return lines.map((line) =>
    parted(line, (left, right) =>
      places.some((place) => left.right <= place && place <= right.left),
    ),
  )
}

function spacesIn(pieces: Piece[]): number[] {
  const places: number[] = []
  let end = Infinity
  for (const { left, right } of pieces.toSorted((a, b) => a.left - b.left)) {
    if (left > end) places.push((left + end) / 2)
    end = end === Infinity ? right : Math.max(end, right)
  }
  return places
}

const isBetween = (pieces: Piece[], place: number): boolean =>
  pieces.some(({ right }) => right <= place) && pieces.some(({ left }) => left >= place)

function parted(line: PdfLine, isApart: (left: Piece, right: Piece) => boolean): PdfLine {
  return { ...line, cells: line.cells.flatMap((cell) => cellsIn(cell, isApart)) }
}

function cellsIn(whole: Cell, isApart: (left: Piece, right: Piece) => boolean): Cell[] {
  const cells: Cell[] = []
  for (const piece of whole.pieces) {
    const last = cells.at(-1)
    if (!last || isApart(last, piece)) cells.push({ ...piece, pieces: [piece] })
    else {
      const { text, left, pieces } = last
      const both = { left, text: joined(text, piece.text), pieces: [...pieces, piece] }
      cells[cells.length - 1] = { ...piece, ...both }
    }
  }
  return cells.length === 1 ? [whole] : cells
}

export const joined = (...texts: (string | undefined)[]): string =>
  texts.filter((text) => text && isFilled(text)).join(' ')

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
    for (const [other, overlap] of overlaps.entries()) {
      if (overlap > 0 && other > column) row[other] ||= spanned
    }
  }
  return row
}
