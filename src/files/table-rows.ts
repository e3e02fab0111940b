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
    this.#rows.push(row)
    this.#column = 0
  }

  /** @throws ServiceError `payload_too_large` */
  add(cell: string, columns = 1, rows = 1): void {
    const width = Math.max(1, Math.min(columns, maxColumns))
    // 0 is all rows that follow.
    const height = rows === 0 ? maxRows : Math.min(rows, maxRows)
    const row = this.#rows.at(-1)
    if (!row) return
    while (row[this.#column] !== undefined) this.#column += 1
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

  take(): string[][] {
    const rows = this.#rows.map((row) => Array.from(row, (cell) => cell ?? ''))
    this.#rows = []
    this.#covered.clear()
    return rows
  }
}
