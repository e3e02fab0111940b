import { type ListPosition, maxLevels, type Numbering } from './docx-numbering.ts'
import { type DocxStyles, isOn } from './docx-styles.ts'
import { isBoldHeading } from './markdown.ts'
import type { Attributes } from './xml.ts'

/** The style of paragraphs that begin with their number, and those of bold lines of each size. */
export const numberedStyle = 'NumberedParagraph'
const boldStyle = 'BoldLine'
/** The style of a paragraph in no list, although its own style is of a list. */
const plainStyle = 'PlainParagraph'

const dropCap = /^(?:drop|margin)$/
const maxHeading = 80

export class Paragraph {
  heading: number | undefined
  boldLine: string | undefined
  isDropCap = false
  #style = ''
  #list: string | undefined
  #level: number | undefined
  #text = ''
  #size = 0
  #isBold = true
  #run = { isBold: false, size: 0 }
  readonly #styles: DocxStyles

  constructor(styles: DocxStyles) {
    this.#styles = styles
  }

  open(name: string, attributes: Attributes, inRun: boolean): void {
    const value = attributes['w:val'] ?? ''
    if (name === 'w:pStyle') this.#style = value
    if (name === 'w:framePr') this.isDropCap = dropCap.test(attributes['w:dropCap'] ?? '')
    if (name === 'w:numId') this.#list = value
    if (name === 'w:ilvl') this.#level = Number(value)
    if (name === 'w:r') this.#run = { isBold: this.#styles.isBold(this.#style), size: 0 }
    if (!inRun) return
    if (name === 'w:rStyle') this.#run.isBold ||= this.#styles.isBold(value)
    if (name === 'w:b') this.#run.isBold = isOn(value)
    if (name === 'w:sz') this.#run.size = Number(value)
  }

  add(text: string): void {
    this.#text += text
    if (text.trim() === '') return
    this.#isBold &&= this.#run.isBold
    this.#size = Math.max(this.#size, this.#run.size)
  }

  /** The paragraph with its number as text, and as a heading where it is a bold line. */
  edited(xml: string, numbering: Numbering, isInCell: boolean): string {
    const level = this.#styles.headingLevel(this.#style)
    this.heading = level
    if (!level && this.#styles.isCode(this.#style)) return this.#asCode(xml)
    const number = this.#place ? numbering.next(this.#place) : undefined
    const isListed = this.#place !== undefined && number === undefined
    const begin = number ? numberedStyle : ''
    if (!level && !isInCell && !isListed && this.#isBoldLine()) {
      this.boldLine = `${begin}${boldStyle}${this.weight}`
    }
    if (number === undefined) {
      return this.boldLine === undefined ? xml : withStyle(xml, this.boldLine)
    }
    const own = this.boldLine ?? (number ? numberedStyle : plainStyle)
    return withStyle(withoutNumber(xml), level ? this.#style : own, number && `${number} `)
  }

  /** Mammoth leaves out paragraphs without text, as the blank lines of code are. */
  #asCode(xml: string): string {
    return withStyle(withoutNumber(xml), this.#style, this.#text === '' ? ' ' : '')
  }

  get text(): string {
    return this.#text.replace(/\s+/g, ' ').trim()
  }

  /** Higher for larger letters, and at equal size for a higher level of its list. */
  get weight(): number {
    return maxLevels * this.#size - (this.#place?.level ?? 0)
  }

  /** Its own list counts before that of its style; 0 is none. */
  get #place(): ListPosition | undefined {
    const ofStyle = this.#styles.places.get(this.#style)
    const list = this.#list ?? ofStyle?.list
    if (list === undefined || list === '0') return undefined
    return { list, level: this.#level ?? ofStyle?.level ?? 0 }
  }

  #isBoldLine(): boolean {
    const { text } = this
    const isShort = text.length <= maxHeading && /\p{L}{2}/v.test(text)
    return this.#isBold && isShort && isBoldHeading(text)
  }
}

const properties = /<w:pPr\b[^>]*>/
const ownStyle = /<w:pStyle\b[^>]*\/>|<w:pStyle\b[^>]*><\/w:pStyle>/
const ownNumber = /<w:numPr\b[^>]*\/>|<w:numPr\b[^>]*>[^]*?<\/w:numPr>/

const withoutNumber = (xml: string): string => xml.replace(ownNumber, '')

export const textParagraph = (text: string): string =>
  `<w:p><w:r><w:t xml:space="preserve">${attribute(text)}</w:t></w:r></w:p>`

export const tableOf = (rows: string[][]): string =>
  `<w:tbl>${rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${textParagraph(cell)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`

const beforeRuns = /^<w:p\b[^>]*>\s*(?:<w:pPr\b[^>]*\/>|<w:pPr\b[^]*?<\/w:pPr>)?/

export const runsOf = (xml: string): string => xml.replace(beforeRuns, '').replace(/<\/w:p>$/, '')

export const withRuns = (runs: string, xml: string): string =>
  xml.replace(beforeRuns, (before) => before + runs)

function withStyle(xml: string, style: string, text = ''): string {
  const styleXml = `<w:pStyle w:val="${attribute(style)}"/>`
  const run = text === '' ? '' : `<w:r><w:t xml:space="preserve">${attribute(text)}</w:t></w:r>`
  const whole = xml.replace(/<w:pPr\s*\/>/, '<w:pPr></w:pPr>')
  if (!properties.test(whole)) {
    return whole.replace(/^<w:p\b[^>]*>/, (tag) => `${tag}<w:pPr>${styleXml}</w:pPr>${run}`)
  }
  return whole
    .replace(ownStyle, '')
    .replace(properties, (tag) => `${tag}${styleXml}`)
    .replace('</w:pPr>', () => `</w:pPr>${run}`)
}

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
