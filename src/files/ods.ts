import type { FileText } from './file-text.ts'
import { headingLine, isFilled, spanned } from './markdown.ts'
import { joinPages } from './pages.ts'
import { isLeftOut, maxSpaces } from './open-document.ts'
import { sheetText } from './sheet-text.ts'
import { type Attributes, readNested } from './xml.ts'
import { readEntries } from './zip.ts'
import { maxLengths } from '../../generated/max-lengths.gen.ts'
import { textTooLong } from './refusals.ts'

/** The visible sheets as tables below their names, with cells as displayed. */
export function readOds(bytes: Uint8Array): FileText {
  const content = readEntries(bytes, /^content\.xml$/).get('content.xml')
  const reader = new OdsReader(hiddenStyles(content))
  readNested(content, reader)
  return joinPages(reader.texts)
}

function hiddenStyles(content: Uint8Array | undefined): Set<string> {
  const styles = new Set<string>()
  let style = ''
  readNested(content, {
    isHidden: (name) => name === 'office:body',
    onOpen: (name, attributes) => {
      if (name === 'style:style') style = attributes['style:name'] ?? ''
      if (name === 'style:table-properties' && attributes['table:display'] === 'false') {
        styles.add(style)
      }
    },
  })
  return styles
}

class OdsReader {
  readonly texts: string[] = []
  readonly #hidden: ReadonlySet<string>
  #rows = new SheetRows()
  #name = ''
  #cell: Attributes = {}
  #lines: string[] = []

  constructor(hidden: ReadonlySet<string>) {
    this.#hidden = hidden
  }

  readonly isHidden = (name: string, attributes: Attributes): boolean =>
    isLeftOut(name) ||
    (name === 'table:table' && this.#hidden.has(attributes['table:style-name'] ?? ''))

  readonly onOpen = (name: string, attributes: Attributes): void => {
    if (name === 'table:table') {
      this.#rows = new SheetRows()
      this.#name = attributes['table:name'] ?? ''
    }
    if (name === 'table:table-row') this.#rows.begin(numberIn(attributes, 'number-rows-repeated'))
    if (cells.has(name)) [this.#cell, this.#lines] = [attributes, []]
    if (name === 'text:p') this.#lines.push('')
    if (name === 'text:line-break' || name === 'text:tab') this.onText(' ', name)
    if (name === 'text:s') {
      const blanks = Math.min(maxSpaces, Number(attributes['text:c'] ?? 1))
      this.onText(' '.repeat(blanks), name)
    }
  }

  readonly onText = (text: string, parent: string): void => {
    const last = this.#lines.length - 1
    if (last >= 0 && parent.startsWith('text:')) this.#lines[last] += text
  }

  readonly onClose = (name: string): void => {
    if (cells.has(name)) {
      const text = this.#lines.splice(0).join(' ').replace(/\s+/g, ' ').trim()
      const times = numberIn(this.#cell, 'number-columns-repeated')
      const blank = name === covered ? spanned : ''
      this.#rows.add(text || blank, times, numberIn(this.#cell, 'number-rows-spanned'))
    }
    if (name === 'table:table-row') this.#rows.end()
    if (name !== 'table:table') return
    const text = sheetText(this.#rows.all())
    if (text !== '') this.texts.push(`${headingLine(1, this.#name)}\n\n${text}`)
  }
}

const covered = 'table:covered-table-cell'
const cells = new Set(['table:table-cell', covered])

const numberIn = (attributes: Attributes, name: string): number =>
  Number(attributes[`table:${name}`] ?? 1)

const maxColumns = 1_024
/** How often a row with text may be repeated. A row without text is never repeated. */
const maxRepeated = 1_000
/** Of a cell in a line of the text, ` | `. */
const minCellLength = 3

/** The rows of a sheet; a cell that spans several rows stands in each of them. An empty array is empty rows. */
class SheetRows {
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

  add(text: string, times: number, rows: number): void {
    const width = Math.min(times, maxColumns - this.#row.length)
    for (let left = width; left > 0; left--) {
      const above = this.#above.get(this.#row.length)
      if (rows > 1 && isFilled(text)) this.#above.set(this.#row.length, { text, rows })
      this.#row.push(isFilled(text) ? text : (above?.text ?? text))
    }
  }

  /** @throws ServiceError `payload_too_large` */
  end(): void {
    this.#endAbove()
    if (!this.#row.some(isFilled)) {
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

  #endAbove(): void {
    for (const [column, above] of this.#above) {
      above.rows -= 1
      if (above.rows < 1) this.#above.delete(column)
    }
  }
}
