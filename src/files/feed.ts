import { Parser } from 'htmlparser2'
import type { FileText } from './file-text.ts'
import { readHtml } from './html.ts'
import { maxDepth } from './limits.ts'
import { headingLine } from './markdown.ts'
import { nestedTooDeep } from './refusals.ts'

/** By name, what an entry says, in the order of the file. `text` has the tags that stand in it. */
type Said = { name: string; text: string }

const entries = new Set(['item', 'entry'])
/** The later ones are shorter. */
const contents = ['content:encoded', 'content', 'description', 'summary', 'subtitle']
const labels: Record<string, string> = {
  pubdate: 'Date',
  published: 'Date',
  'dc:date': 'Date',
  updated: 'Updated',
  author: 'Author',
  'dc:creator': 'Author',
  category: 'Category',
  link: 'Address',
}
const leftOut = new Set(['guid', 'id', 'comments', 'slash:comments', 'wfw:commentrss', 'title'])

/** The entries of a feed (RSS or Atom), each below its title. A text without any stays as it is. */
export function readFeed(text: string): FileText {
  const reader = new FeedReader()
  new Parser(reader, { xmlMode: true }).end(text)
  const { own, said } = reader
  if (said.length === 0) return { text }
  const texts = [textOf(own, 1), ...said.map((entry) => textOf(entry, 2))]
  return { text: texts.filter((one) => one !== '').join('\n\n') }
}

class FeedReader {
  readonly own: Said[] = []
  readonly said: Said[][] = []
  #depth = 0
  /** The depth of the open entry, and of what it says; 0 outside. */
  #entry = 0
  #field = 0

  onopentag(name: string, attributes: Record<string, string>): void {
    this.#depth += 1
    if (this.#depth > maxDepth) throw nestedTooDeep()
    if (this.#field > 0) return this.#addTag(`<${name}>`)
    if (this.#entry === 0 && entries.has(name)) {
      this.#entry = this.#depth
      this.said.push([])
    } else if (this.#entry > 0 || titles.has(name)) {
      this.#field = this.#depth
      const text = attributes['href'] ?? attributes['term'] ?? ''
      this.#fields.push({ name: name.toLowerCase(), text })
    }
  }

  ontext(text: string): void {
    if (this.#field === 0) return
    const isInTags = this.#depth > this.#field
    this.#add(isInTags ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : text)
  }

  onclosetag(name: string): void {
    if (this.#depth > this.#field && this.#field > 0) this.#addTag(`</${name}>`)
    if (this.#depth === this.#field) this.#field = 0
    if (this.#depth === this.#entry) this.#entry = 0
    this.#depth -= 1
  }

  get #fields(): Said[] {
    return this.#entry > 0 ? this.said.at(-1)! : this.own
  }

  /** Others than the content hold names and numbers. */
  #addTag(tag: string): void {
    this.#add(contents.includes(this.#fields.at(-1)!.name) ? tag : ' ')
  }

  #add(text: string): void {
    this.#fields.at(-1)!.text += text
  }
}

const titles = new Set(['title', 'description', 'subtitle'])

/** Other names in brackets are of the text, as in `List<String>`. */
const tagOrEntity =
  /<\/?(?:[abipqsu]|abbr|blockquote|[bh]r|cite|code|d[dlt]|del|div|em|figure|font|h[1-6]|iframe|img|ins|li|ol|pre|section|small|span|strong|su[bp]|table|ul|video)\b[^<>]*>|<!|&#?\w+;/i
const shown = (text: string): string => (tagOrEntity.test(text) ? readHtml(text) : text).trim()
const inLine = (text: string): string => shown(text).replace(/\s+/g, ' ')

function textOf(said: Said[], level: number): string {
  const textOfFirst = (name: string) => said.find((one) => one.name === name)?.text ?? ''
  const title = inLine(textOfFirst('title'))
  const content = contents.map(textOfFirst).find((text) => text.trim() !== '') ?? ''
  const lines = said.flatMap(({ name, text }) => {
    const value = inLine(text)
    if (value === '' || leftOut.has(name) || contents.includes(name)) return []
    return [`${labels[name] ?? name.slice(name.indexOf(':') + 1)}: ${value}`]
  })
  const head = title === '' ? '' : headingLine(level, title)
  return [head, lines.join('\n'), shown(content)].filter((text) => text !== '').join('\n\n')
}
