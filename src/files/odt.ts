import { BlockWriter } from './block-writer.ts'
import type { FileText } from './file-text.ts'
import { OdtListStyles } from './odt-list-styles.ts'
import { OdtNumbering } from './odt-numbering.ts'
import { readMath } from './math-text.ts'
import { type Margins, odtMarginsOf } from './odt-margins.ts'
import { isLeftOut, maxSpaces } from './open-document.ts'
import { type Attributes, readNested } from './xml.ts'
import { type Entries, readEntries } from './zip.ts'

/** The text of an ODT between its headers and footers; its notes are a list at the end, as those of a DOCX. */
export function readOdt(bytes: Uint8Array): FileText {
  const entries = readEntries(bytes, /^(?:[^/]+\/content|content|styles)\.xml$/)
  const content = entries.get('content.xml')
  const styles = new OdtListStyles([entries.get('styles.xml'), content])
  const reader = new OdtReader(styles, entries)
  readNested(content, reader)
  const text = reader.end()
  return { text: withMargins(text, odtMarginsOf(entries.get('styles.xml'))) }
}

/** Lines that the text repeats are left out. */
function withMargins(text: string, { header, footer }: Margins): string {
  const said = new Set(text.split('\n').map((line) => line.replace(/^#+ /, '')))
  const isNew = (line: string) => !said.has(line)
  return [...header.filter(isNew), text, ...footer.filter(isNew)].filter(Boolean).join('\n\n')
}

type Actions = Record<string, (writer: BlockWriter, attributes: Attributes) => void>

class OdtReader {
  readonly #styles: OdtListStyles
  readonly #numbering: OdtNumbering
  readonly #text = new BlockWriter()
  readonly #notes = new BlockWriter()
  #out = this.#text
  #noted = 0
  /** Of a heading or in a cell, until it has text. */
  #number: string | undefined
  /** Of a line of code, and between two of them, which are one block. */
  #code: 'line' | 'between' | undefined
  readonly #spans: Attributes[] = []
  readonly #links: string[] = []
  readonly #entries: Entries

  constructor(styles: OdtListStyles, entries: Entries) {
    this.#styles = styles
    this.#numbering = new OdtNumbering(styles)
    this.#entries = entries
  }

  /** An object with a file of its own has nothing else to read. */
  readonly isHidden = (name: string, attributes: Attributes): boolean =>
    isLeftOut(name) && attributes['xlink:href'] === undefined

  readonly onOpen = (name: string, attributes: Attributes): void => {
    if (name === 'text:p' && this.#isCode(attributes)) return this.#beginCode()
    this.#endCode(name === 'text:p')
    if (name === 'text:note') this.#beginNote()
    if (name === 'table:table-cell') this.#spans.push(attributes)
    if (name === 'text:a') {
      this.#links.push(attributes['xlink:href'] ?? '')
      this.#out.inline.beginLink()
    }
    if (name === 'text:span' && this.#styles.isRaised(attributes['text:style-name'] ?? '')) {
      this.#out.inline.raise()
    }
    numbers[name]?.(this.#numbering, attributes)
    if (name === 'text:list') this.#out.lists.begin(this.#numbering.isNumbered ? 1 : undefined)
    opening[name]?.(this.#out, attributes)
    if (name === 'draw:object') this.#addFormula(attributes['xlink:href'])
    if (name === 'text:h') this.#number = this.#numbering.ofHeading(attributes)
    if (name === 'text:p') this.#beginParagraph(this.#numbering.ofParagraph())
  }

  readonly onText = (text: string, parent: string): void => {
    if (!isOfText.test(parent) || this.#code === 'between') return
    if (this.#code === 'line') return this.#out.text(text.replace(/\s+/g, ' '))
    if (this.#number !== undefined && text.trim() !== '') {
      this.#out.text(`${this.#number} `)
      this.#number = undefined
    }
    this.#out.text(text)
  }

  readonly onClose = (name: string): void => {
    if (name === 'text:p' && this.#code === 'line') {
      this.#code = 'between'
      return
    }
    this.#endCode()
    const attributes = name === 'table:table-cell' ? this.#spans.pop() : undefined
    if (name === 'text:a') this.#out.inline.endLink(this.#links.pop()!)
    closing[name]?.(this.#out, attributes ?? {})
    if (name === 'text:list') this.#numbering.endList()
    if (name === 'text:list-item') this.#numbering.endItem()
    if (name === 'text:note') this.#endNote()
  }

  end(): string {
    const texts = [this.#text.end(), this.#notes.end()].filter((text) => text !== '')
    return texts.join('\n\n')
  }

  #beginParagraph(number: string | undefined): void {
    const isInCell = this.#spans.length > 0
    this.#number = isInCell ? number : undefined
    if (!isInCell && number !== undefined) this.#out.lists.beginItem(undefined, number)
  }

  #isCode(attributes: Attributes): boolean {
    return this.#spans.length === 0 && this.#styles.isCode(attributes['text:style-name'] ?? '')
  }

  #beginCode(): void {
    if (this.#code === 'between') this.#out.breakLine()
    else {
      this.#out.endBlock()
      this.#out.beginCode()
    }
    this.#code = 'line'
  }

  /** Other tags may be in a line of code, but no paragraph. */
  #endCode(isParagraph = false): void {
    if (this.#code === 'between') this.#out.endBlock()
    if (this.#code === 'between' || isParagraph) this.#code = undefined
  }

  #addFormula(href = ''): void {
    const file = `${href.replace(/^\.\/|\/$/g, '')}/content.xml`
    this.#out.text(readMath(this.#entries.get(file)))
  }

  #beginNote(): void {
    this.#noted += 1
    this.#out.text(`[${this.#noted}]`)
    this.#out = this.#notes
    this.#notes.lists.begin(this.#noted)
    this.#notes.beginItem()
  }

  #endNote(): void {
    this.#notes.endItem()
    this.#notes.lists.end()
    this.#out = this.#text
  }
}

const isOfText = /^text:/
const numberIn = (text: string | undefined): number => Number(text ?? 1)

const opening: Actions = {
  'text:h': (writer, attributes) => writer.beginHeading(numberIn(attributes['text:outline-level'])),
  'text:p': (writer) => writer.endBlock(),
  'text:list-item': (writer) => writer.beginItem(),
  'text:line-break': (writer) => writer.breakLine(),
  'text:tab': (writer) => writer.text('\t'),
  'text:s': (writer, attributes) =>
    writer.text(' '.repeat(Math.min(maxSpaces, numberIn(attributes['text:c'])))),
  'table:table': (writer) => writer.beginTable(),
  'table:table-row': (writer) => writer.beginRow(),
  'table:table-cell': (writer) => writer.beginCell(),
}

const numbers: Record<string, (numbering: OdtNumbering, attributes: Attributes) => void> = {
  'text:list': (numbering, attributes) => numbering.beginList(attributes),
  'text:list-item': (numbering, attributes) => numbering.beginItem(attributes),
  'text:list-header': (numbering) => numbering.endItem(),
}

const closing: Actions = {
  'text:h': (writer) => writer.endBlock(),
  'text:p': (writer) => writer.endBlock(),
  'text:list': (writer) => writer.lists.end(),
  'text:list-item': (writer) => writer.endItem(),
  'table:table-cell': (writer, attributes) =>
    writer.endCell(
      numberIn(attributes['table:number-columns-spanned']),
      numberIn(attributes['table:number-rows-spanned']),
    ),
  'table:table-header-rows': (writer) => writer.endRowGroup(),
  'table:table': (writer) => writer.endTable(),
}
