import { isLeftOut } from './open-document.ts'
import { isPageNumber } from './pages.ts'
import { type Attributes, readNested } from './xml.ts'

const part = /^style:(?<kind>header|footer)(?:-left|-first)?$/
/** Fields that a program fills in anew on each page, or each time. */
const filledIn =
  /^text:(?:page-number|page-count|page-variable-get|date|time|file-name|modification-date|modification-time|print-date|print-time)$/

export type Margins = Record<'header' | 'footer', string[]>

/** The texts of a document's headers and footers, once each, without numbers of pages. */
export function odtMarginsOf(styles: Uint8Array | undefined): Margins {
  const reader = new MarginReader()
  if (styles) readNested(styles, reader)
  return reader.margins
}

class MarginReader {
  readonly margins: Margins = { header: [], footer: [] }
  readonly #seen = new Set<string>()
  #kind: keyof Margins | undefined
  #text = ''

  readonly isHidden = (name: string, attributes: Attributes): boolean =>
    isLeftOut(name) ||
    filledIn.test(name) ||
    (part.test(name) && attributes['style:display'] === 'false')

  readonly onOpen = (name: string): void => {
    this.#kind = kindOf(name) ?? this.#kind
    if (!name.startsWith('text:span') && !name.startsWith('text:a')) this.#text += ' '
  }

  readonly onText = (text: string, parent: string): void => {
    if (this.#kind && parent.startsWith('text:')) this.#text += text
  }

  readonly onClose = (name: string): void => {
    if (kindOf(name)) this.#kind = undefined
    if (name !== 'text:p' && name !== 'text:h') return
    const line = this.#text.replace(/\s+/g, ' ').trim()
    if (this.#kind && line !== '' && !this.#seen.has(line) && !isPageNumber(line)) {
      this.margins[this.#kind].push(line)
      this.#seen.add(line)
    }
    this.#text = ''
  }
}

const kindOf = (name: string): keyof Margins | undefined =>
  part.exec(name)?.groups?.['kind'] as keyof Margins | undefined
