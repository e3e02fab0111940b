import type { FileText } from './file-text.ts'
import { headingLine } from './markdown.ts'
import { joinPages } from './pages.ts'
import { isLeftOut, maxSpaces } from './open-document.ts'
import { SheetRows } from './sheet-rows.ts'
import { sheetText } from './sheet-text.ts'
import { readNested } from './xml.ts'
import { readEntries } from './zip.ts'

/** The visible sheets as tables below their names, with cells as displayed. */
export function readOds(bytes: Uint8Array): FileText {
  const content = readEntries(bytes, /^content\.xml$/).get('content.xml')
  const reader = new OdsReader(hiddenStyles(content))
  readNested(content, reader)
  return joinPages(reader.texts)
}

type Attributes = Record<string, string>

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
    onText: () => undefined,
    onClose: () => undefined,
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
      this.#rows.add(text, {
        times: numberIn(this.#cell, 'number-columns-repeated'),
        rows: numberIn(this.#cell, 'number-rows-spanned'),
      })
    }
    if (name === 'table:table-row') this.#rows.end()
    if (name !== 'table:table') return
    const text = sheetText(this.#rows.all())
    if (text !== '') this.texts.push(`${headingLine(1, this.#name)}\n\n${text}`)
  }
}

const cells = new Set(['table:table-cell', 'table:covered-table-cell'])

const numberIn = (attributes: Attributes, name: string): number =>
  Number(attributes[`table:${name}`] ?? 1)
