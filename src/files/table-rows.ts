import { maxLengths } from '../../generated/max-lengths.gen.ts'
import { textTooLong } from './refusals.ts'

/** A wider span is a mistake, or made to waste memory. */
const maxColumns = 64
const maxRows = 65_534
/** Of a cell in a line of the text, ` | `. */
const minCellLength = 3

/** The rows of a table as they are drawn: a cell that spans several stands in the first, and the others are empty. */
export class TableRows {
  #rows: string[][] = []
  #column = 0
  #cells = 0
  /** Of the row, how many columns its only cell spans; 0 if it has several. */
  #span: number | undefined
  readonly #merged = new Map<string[], number>()
  /** By column, the remaining rows of a cell from above. */
  readonly #covered = new Map<number, number>()

  beginRow(): void {
    const row: string[] = []
    for (const [column, rows] of this.#covered) {
      row[column] = ''
      this.#count()
      if (rows > 1) this.#covered.set(column, rows - 1)
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
      row[this.#column] = left === width ? cell : ''
      if (height > 1) this.#covered.set(this.#column, height - 1)
      this.#column += 1
      this.#count()
    }
  }

  #count(): void {
    this.#cells += 1
    if (minCellLength * this.#cells > maxLengths.StoredText) {
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
