import { BlockWriter } from './block-writer.ts'
import { InlineText } from './inline-text.ts'
import { headingLine } from './markdown.ts'
import type { Attributes } from './xml.ts'

export type Point = { x: number; y: number }
type Bullet = 'none' | 'sign' | 'number'
type Paragraph = { text: string; level: number; bullet: Bullet | undefined }

const titles = new Set(['title', 'ctrTitle'])
const margins = new Set(['sldNum', 'ftr', 'hdr'])
const maxLevel = 8

/** A box or a table of a slide, as its elements are read. */
export class Shape {
  place: Point | undefined
  /** The type and number of its placeholder, or "". */
  placeholder = ''
  #type: string | undefined
  readonly #inline = new InlineText()
  readonly #table = new BlockWriter()
  #tables = 0
  readonly #paragraphs: Paragraph[] = []
  #paragraph: Paragraph = { text: '', level: 0, bullet: undefined }

  get isTitle(): boolean {
    return titles.has(this.#type ?? '')
  }

  open(name: string, attributes: Attributes): void {
    const { type = '', idx = '', x, y, lvl } = attributes
    if (name === 'p:ph') [this.#type, this.placeholder] = [type, `${type} ${idx}`]
    if (name === 'a:off') this.place ??= { x: Number(x), y: Number(y) }
    if (name === 'a:p') this.#paragraph = { text: '', level: 0, bullet: undefined }
    if (name === 'a:pPr' && lvl) this.#paragraph.level = Math.min(maxLevel, Number(lvl))
    if (name === 'a:buNone') this.#paragraph.bullet = 'none'
    if (name === 'a:buChar' || name === 'a:buBlip') this.#paragraph.bullet = 'sign'
    if (name === 'a:buAutoNum') this.#paragraph.bullet = 'number'
    if (name === 'a:r') this.#line.beginLink()
    if (name === 'a:rPr' && Number(attributes['baseline']) > 0) this.#line.raise()
    if (name === 'a:br') this.#line.add('\n')
    if (name === 'a:tbl') [this.#tables] = [this.#tables + 1, this.#table.beginTable()]
    if (name === 'a:tr') this.#table.beginRow()
    if (name === 'a:tc') this.#table.beginCell()
  }

  add(text: string): void {
    if (!margins.has(this.#type ?? '')) this.#line.add(text)
  }

  close(name: string, attributes: Attributes, link: string): void {
    if (name === 'a:r') this.#line.endLink(link)
    if (name === 'a:p') this.#endParagraph()
    if (name === 'a:tc' && isCovered(attributes)) this.#table.inline.take()
    else if (name === 'a:tc') {
      this.#table.endCell(spanIn(attributes['gridSpan']), spanIn(attributes['rowSpan']))
    }
    if (name === 'a:tbl') [this.#tables] = [this.#tables - 1, this.#table.endTable()]
  }

  text(): string {
    const paragraphs = this.#paragraphs.filter(({ text }) => text !== '')
    const texts = paragraphs.map(({ text }) => text)
    if (this.isTitle) return texts.length === 0 ? '' : headingLine(1, texts.join(' '))
    const written = this.#isList(paragraphs) ? listOf(paragraphs) : texts.join('\n\n')
    return [written, this.#table.end()].filter((part) => part !== '').join('\n\n')
  }

  get #line(): InlineText {
    return this.#tables > 0 ? this.#table.inline : this.#inline
  }

  #endParagraph(): void {
    if (this.#tables > 0) return this.#table.endBlock()
    const lines = this.#inline.take().split('\n')
    const text = lines
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .join(this.isTitle ? ' ' : '\n')
    this.#paragraphs.push({ ...this.#paragraph, text: text.trim() })
  }

  /** The largest box of a slide has bullets by default. */
  #isList(paragraphs: Paragraph[]): boolean {
    const isContent = this.#type === '' && paragraphs.length > 1
    const isMarked = paragraphs.some(
      ({ level, bullet }) => level > 0 || bullet === 'sign' || bullet === 'number',
    )
    return isMarked || (isContent && paragraphs.every(({ bullet }) => bullet !== 'none'))
  }
}

/** Whether a cell before it goes on over it, which says so too. */
const isCovered = ({ hMerge, vMerge }: Attributes): boolean =>
  [hMerge, vMerge].some((value) => value === '1' || value === 'true')

const spanIn = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text) || undefined

function listOf(paragraphs: Paragraph[]): string {
  const counts: number[] = []
  let before: Bullet | undefined = 'sign'
  return paragraphs
    .map(({ text, level, bullet }, index) => {
      counts.length = level + 1
      const number = bullet === 'number' ? (counts[level] ?? 0) + 1 : 0
      counts[level] = number
      const gap = index === 0 ? '' : bullet === 'none' || before === 'none' ? '\n\n' : '\n'
      before = bullet
      if (bullet === 'none') return gap + text
      return `${gap}${'  '.repeat(level)}${number > 0 ? `${number}.` : '-'} ${text}`
    })
    .join('')
}
