/** A span that is wider is a mistake, or made to take memory. */
const maxSpan = 64

/** The rows of a table as they are drawn: a cell that spans several stands in the first, and the others are empty. */
export class TableRows {
  #rows: string[][] = []
  #column = 0
  /** By column, in how many more rows a cell from above is. */
  readonly #covered = new Map<number, number>()

  beginRow(): void {
    const row: string[] = []
    for (const [column, rows] of this.#covered) {
      row[column] = ''
      if (rows > 1) this.#covered.set(column, rows - 1)
      else this.#covered.delete(column)
    }
    this.#rows.push(row)
    this.#column = 0
  }

  add(cell: string, columns = 1, rows = 1): void {
    const row = this.#rows.at(-1)
    if (!row) return
    while (row[this.#column] !== undefined) this.#column += 1
    for (let left = Math.min(columns, maxSpan); left > 0; left--) {
      row[this.#column] = left === Math.min(columns, maxSpan) ? cell : ''
      if (rows > 1) this.#covered.set(this.#column, Math.min(rows, maxSpan) - 1)
      this.#column += 1
    }
  }

  /** All rows, after which the next table begins. */
  take(): string[][] {
    const rows = this.#rows.map((row) => Array.from(row, (cell) => cell ?? ''))
    this.#rows = []
    this.#covered.clear()
    return rows
  }
}
