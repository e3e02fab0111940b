import { isPageNumber } from './pages.ts'
import { type Attributes, readXml } from './xml.ts'
import type { Entries } from './zip.ts'

const part = /^word\/(?<kind>header|footer)\d*\.xml$/
/** Fields that a program fills in anew on each page, or each time. */
const filledIn = /\b(?:PAGE|NUMPAGES|SECTIONPAGES|SECTION|DATE|TIME|FILENAME|SAVEDATE|PRINTDATE)\b/

type Margins = Record<'header' | 'footer', string[]>

/** The texts of a document's headers and footers, once each, without numbers of pages. */
export function docxMarginsOf(entries: Entries): Margins {
  const margins: Margins = { header: [], footer: [] }
  const seen = new Set<string>()
  for (const [name, xml] of entries) {
    const kind = part.exec(name)?.groups?.['kind'] as keyof Margins | undefined
    for (const text of kind ? linesIn(xml) : []) {
      if (kind && !seen.has(text) && !isPageNumber(text)) margins[kind].push(text)
      seen.add(text)
    }
  }
  return margins
}

function linesIn(xml: Uint8Array): string[] {
  const reader = new MarginReader()
  readXml(xml, reader)
  return reader.lines
}

class MarginReader {
  readonly lines: string[] = []
  readonly #fields: { isLeftOut: boolean }[] = []
  #tag = ''
  #text = ''
  #instruction = ''
  #fallbacks = 0

  readonly onopentag = (name: string, attributes: Attributes): void => {
    this.#tag = name
    if (name === 'mc:Fallback') this.#fallbacks += 1
    if (name === 'w:tab' || name === 'w:br' || name === 'w:tc') this.#text += ' '
    if (name === 'w:fldSimple') this.#beginField(attributes['w:instr'])
    if (name === 'w:fldChar') this.#field(attributes['w:fldCharType'])
  }

  readonly ontext = (text: string): void => {
    if (this.#tag === 'w:instrText') this.#instruction += text
    const isLeftOut = this.#fallbacks > 0 || this.#fields.some((field) => field.isLeftOut)
    if (this.#tag === 'w:t' && !isLeftOut) this.#text += text
  }

  readonly onclosetag = (name: string): void => {
    this.#tag = ''
    if (name === 'mc:Fallback') this.#fallbacks -= 1
    if (name === 'w:fldSimple') this.#fields.pop()
    if (name !== 'w:p') return
    const line = this.#text.replace(/\s+/g, ' ').trim()
    if (line !== '') this.lines.push(line)
    this.#text = ''
  }

  #beginField(instruction = ''): void {
    this.#fields.push({ isLeftOut: filledIn.test(instruction) })
  }

  /** The instruction of a field stands between its beginning and its result. */
  #field(type: string | undefined): void {
    const field = this.#fields.at(-1)
    if (type === 'begin') this.#beginField()
    else if (type === 'end') this.#fields.pop()
    else if (field) field.isLeftOut = filledIn.test(this.#instruction)
    this.#instruction = ''
  }
}
