import type { FileText } from './file-text.ts'
import { BlockWriter } from './block-writer.ts'
import { PageFrame } from './html-frame.ts'
import { HiddenParts } from './html-hidden.ts'
import { layoutTables, parse } from './html-layout.ts'
import {
  blocks,
  closing,
  heading,
  isBlock,
  isCell,
  isToNote,
  opening,
  tableTags,
} from './html-tags.ts'
import { headingLine } from './markdown.ts'
import type { Attributes } from './xml.ts'

const xhtml = /^[^<]{0,100}<\?xml\b|xmlns\s*=\s*["']http:\/\/www\.w3\.org\/1999\/xhtml/i
const headLength = 1_024

/** The text of HTML: its headings, lists and tables as Markdown has them. */
export const readHtml = (html: string): string => read(html).text

/** Reads a whole page: without its frame, and below its title if it has no heading of the first level. */
export function readHtmlPage(html: string): FileText {
  const { text, title, hasTop } = withoutFrame(html)
  const isNamed = hasTop || title === '' || text === '' || firstWords(text) === title
  return { text: isNamed ? text : `${headingLine(1, title)}\n\n${text}` }
}

/** If little text is left, the frame was wrong. */
const [minLength, minShare] = [500, 1 / 10]

function withoutFrame(html: string): Read {
  const framed = read(html, new PageFrame())
  if (framed.text.length > minLength) return framed
  const whole = read(html)
  return framed.text.length < minShare * whole.text.length ? whole : framed
}

const firstWords = (text: string): string => text.replace(/\n[^]*$/, '').replace(/^#+ /, '')

type Read = { text: string; title: string; hasTop: boolean }

function read(html: string, frame?: PageFrame): Read {
  const isXml = xhtml.test(html.slice(0, headLength))
  const options = { recognizeSelfClosing: isXml, recognizeCDATA: isXml }
  const ended = withEndedRows(html)
  const reader = new PageReader(layoutTables(ended, options), frame)
  parse(ended, options, reader)
  return reader.end()
}

/** Writes what is shown of a page, tag by tag. One that is nested too deep is refused by `layoutTables`. */
class PageReader {
  readonly #layout: ReadonlySet<number>
  readonly #frame: PageFrame | undefined
  readonly #writer = new BlockWriter()
  /** Of each open table, whether it only lays out the page. */
  readonly #tables: boolean[] = []
  #tableCount = 0
  #depth = 0
  readonly #hidden = new HiddenParts()
  #titleDepth: number | undefined
  #title = ''
  #hasTop = false
  /** The depth of the element whose text is code, 0 outside of it. */
  #code = 0
  /** Whether a listing in code has just ended. The next one may be the same in another language. */
  #isAfterListing = false
  readonly #spans: Attributes[] = []
  readonly #links: string[] = []

  constructor(layout: ReadonlySet<number>, frame: PageFrame | undefined) {
    this.#layout = layout
    this.#frame = frame
  }

  open(name: string, attributes: Attributes): void {
    this.#depth += 1
    if (name === 'title' && !this.#hidden.isHidden) this.#titleDepth ??= this.#depth
    this.#hidden.open(name, attributes)
    this.#frame?.open(name, attributes)
    if (name === 'table') {
      this.#tables.push(this.#layout.has(this.#tableCount))
      this.#tableCount += 1
    }
    if (!this.#isShown || this.#endCodeLine(name, ' ')) return
    if (this.#isAfterListing && name === 'code') this.#writer.endCodeLine('\n')
    this.#isAfterListing = false
    if (!this.#isLayout(name)) this.#begin(name, attributes)
    else if (!isCell(name)) this.#writer.endBlock()
    if (name === 'pre') this.#code = this.#depth
  }

  text(text: string): void {
    if (this.#titleDepth === this.#depth) this.#title += text
    if (!this.#isShown || this.#hidden.isTextHidden) return
    this.#isAfterListing = false
    this.#writer.text(text)
  }

  close(name: string): void {
    if (this.#code === this.#depth) this.#code = 0
    if (this.#isShown && !this.#endCodeLine(name)) this.#end(name)
    this.#isAfterListing = name === 'code' && this.#code > 0 && this.#depth === this.#code + 1
    if (name === 'table') this.#tables.pop()
    if (this.#titleDepth === this.#depth) this.#titleDepth = -1
    this.#hidden.close()
    this.#frame?.close()
    this.#depth -= 1
  }

  end(): Read {
    const title = this.#title.replace(/\s+/g, ' ').trim()
    return { text: this.#writer.end(), title, hasTop: this.#hasTop }
  }

  get #isShown(): boolean {
    return !this.#hidden.isHidden && !this.#frame?.isLeftOut
  }

  /** Whether it is a block in code, which is a line there, with a blank before each of its cells. */
  #endCodeLine(name: string, beforeCell = ''): boolean {
    if (this.#code === 0 || !isBlock(name)) return false
    const sign = isCell(name) ? beforeCell : '\n'
    if (sign !== '') this.#writer.endCodeLine(sign)
    return true
  }

  #isLayout(name: string): boolean {
    return this.#tables.at(-1) === true && tableTags.has(name)
  }

  #begin(name: string, attributes: Attributes): void {
    const writer = this.#writer
    if (!blocks.has(name) && writer.inline.openMath(name)) return
    const { level } = heading.exec(name)?.groups ?? {}
    this.#hasTop ||= level === '1'
    if (level) writer.beginHeading(Number(level))
    else if (blocks.has(name)) writer.endBlock()
    if (isCell(name)) this.#spans.push(attributes)
    if (name === 'a') {
      const { href = '' } = attributes
      this.#links.push(href)
      writer.inline.beginLink(href.includes('#'))
      if (isToNote(attributes)) writer.inline.raise()
    }
    opening[name]?.(writer, attributes)
    if (attributes['alt']) writer.text(` ${attributes['alt']} `)
  }

  #end(name: string): void {
    const writer = this.#writer
    if (writer.inline.closeMath(name)) return
    if (this.#isLayout(name)) return isCell(name) ? writer.endLine() : writer.endBlock()
    if (name === 'a') writer.inline.endLink(this.#links.pop() ?? '')
    if (blocks.has(name) || heading.test(name)) writer.endBlock()
    closing[name]?.(writer, (isCell(name) && this.#spans.pop()) || {})
  }
}

const tag = /<(\/?)(table|thead|tbody|tfoot|tr|th)(?=[\s>/])/gi

/** The page with `td` for `th`, and with the end of a row before a group of rows, which the parser does not know. */
function withEndedRows(html: string): string {
  /** Of each open table, whether it is in a row. */
  const rows: boolean[] = []
  return html.replaceAll(tag, (written, slash: string, tagName: string) => {
    const name = tagName.toLowerCase()
    if (name === 'th') return `<${slash}td`
    const isInRow = name === 'table' ? undefined : rows.pop()
    if (name === 'table' && slash === '/') rows.pop()
    else if (name === 'table' || isInRow !== undefined) rows.push(name === 'tr' && slash === '')
    return isInRow && name !== 'tr' && slash === '' ? `</tr>${written}` : written
  })
}
