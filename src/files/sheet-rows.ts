import { maxLengths } from '../../generated/max-lengths.gen.ts'
import { textTooLong } from './refusals.ts'

const maxColumns = 1_024
/** How often a row with text may be repeated. A row without text is never repeated. */
const maxRepeated = 1_000
/** Of a cell in a line of the text, ` | `. */
const minCellLength = 3

type Cell = {
  times: number
  rows: number
}

/** The rows of a sheet; a cell that spans several rows stands in each of them. An empty array is empty rows. */
export class SheetRows {
  readonly #rows: string[][] = []
  #row: string[] = []
  #repeated = 1
  #cells = 0
  /** By column, the text of a cell from above, and its remaining rows. */
  readonly #above = new Map<number, { text: string; rows: number }>()

  begin(repeated: number): void {
    this.#row = []
    this.#repeated = Math.min(repeated, maxRepeated)
  }

  add(text: string, { times, rows }: Cell): void {
    const width = Math.min(times, maxColumns - this.#row.length)
    for (let left = width; left > 0; left--) {
      const above = this.#above.get(this.#row.length)
      if (rows > 1 && text !== '') this.#above.set(this.#row.length, { text, rows })
      this.#row.push(text === '' ? (above?.text ?? '') : text)
    }
  }

  /** @throws ServiceError `payload_too_large` */
  end(): void {
    for (const [column, above] of this.#above) {
      above.rows -= 1
      if (above.rows < 1) this.#above.delete(column)
    }
    const isEmpty = this.#row.every((cell) => cell === '')
    if (isEmpty) {
      if (this.#rows.at(-1)?.length !== 0) this.#rows.push([])
      return
    }
    // Excel fills a row of ODS up with thousands of empty cells.
    while (this.#row.at(-1) === '') this.#row.pop()
    // One that is alone in its array would be a merged cell.
    if (this.#row.length === 1) this.#row.push('')
    for (let left = this.#repeated; left > 0; left--) {
      this.#cells += this.#row.length
      this.#rows.push(this.#row)
      if (minCellLength * this.#cells > maxLengths.StoredText) {
        throw textTooLong(maxLengths.StoredText)
      }
    }
  }

  all(): string[][] {
    return this.#rows
  }
}
