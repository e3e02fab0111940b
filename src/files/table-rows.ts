import { maxLengths } from '../../generated/max-lengths.gen.ts'
import { spanned } from './markdown.ts'
import { textTooLong } from './refusals.ts'

/** A wider span is a mistake, or made to waste memory. */
const maxColumns = 64
const maxRows = 65_534
/** Of a cell in a line of the text, ` | `. */
const minCellLength = 3
/** A longer cell names no rows, or lays out a page. */
const maxRepeated = 100

/** The rows of a table: a cell that spans several rows stands in each, and one of several columns in the first. */
export class TableRows {
  #rows: string[][] = []
  #column = 0
  #length = 0
  /** Of the row, how many columns its only cell spans; 0 if it has several. */
  #span: number | undefined
  readonly #merged = new Map<string[], number>()
  /** By column, a cell from above, and its remaining rows. */
  readonly #covered = new Map<number, { cell: string; rows: number }>()

  beginRow(): void {
    const row: string[] = []
    for (const [column, { cell, rows }] of this.#covered) {
      row[column] = cell
      this.#count(cell)
      if (rows > 1) this.#covered.set(column, { cell, rows: rows - 1 })
      else this.#covered.delete(column)
    }
    this.#endRow()
    this.#rows.push(row)
    this.#column = 0
  }

  #endRow(): void {
    const row = this.#rows.at(-1)
    if (row && this.#span) this.#merged.set(row, this.#span)
    this.#span = undefined
  }

  /** No cell spans rows of two groups, as of the head and the body, whatever it says. */
  endGroup(): void {
    this.#covered.clear()
  }

  /** @throws ServiceError `payload_too_large` */
  add(cell: string, columns = 1, rows = 1): void {
    const width = Math.max(1, Math.min(columns, maxColumns))
    // 0 is all rows that follow.
    const height = rows === 0 ? maxRows : Math.min(rows, maxRows)
    const row = this.#rows.at(-1)
    if (!row) return
    while (row[this.#column] !== undefined) this.#column += 1
    this.#span = this.#span === undefined && this.#column === 0 ? width : 0
    for (let left = width; left > 0; left--) {
      const text = left === width || cell === '' ? cell : spanned
      row[this.#column] = text
      const repeated = text.length > maxRepeated ? '' : text
      if (height > 1) this.#covered.set(this.#column, { cell: repeated, rows: height - 1 })
      this.#column += 1
      this.#count(text)
    }
  }

  #count(cell: string): void {
    this.#length += minCellLength + cell.length
    if (this.#length > maxLengths.StoredText) {
      throw textTooLong(maxLengths.StoredText)
    }
  }

  /** The rows so far. One that is a single cell over all columns is an array of one. */
  take(): string[][] {
    this.#endRow()
    const width = this.#rows.reduce((max, { length }) => Math.max(max, length), 0)
    const rows = this.#rows.map((row) => {
      const cells = Array.from(row, (cell) => cell ?? '')
      if (width > 1 && (this.#merged.get(row) ?? 0) >= width) return cells.slice(0, 1)
      return cells.length === 1 && width > 1 ? [...cells, ''] : cells
    })
    this.#rows = []
    this.#covered.clear()
    this.#merged.clear()
    return rows
  }
}
