import { Parser } from 'htmlparser2'
import { maxDepth } from './limits.ts'
import { nestedTooDeep } from './refusals.ts'
import type { Attributes, NestedHandler } from './xml.ts'

/** What to do with the current tag. By default it stays. */
type Handler = Required<Omit<NestedHandler, 'isHidden'>>

/** Copies XML with edits, without making a tree of it. */
export class XmlEditor {
  readonly #xml: string
  readonly #parser: Parser
  /** The copied text, and above it the diverted texts so far. */
  readonly #outs: string[][] = [[]]
  readonly #diverted: { depth: number; end: (xml: string) => string }[] = []
  #copied = 0
  #depth = 0
  #leftOut = 0

  constructor(xml: string, { onOpen, onText, onClose }: Handler) {
    this.#xml = xml
    let parent = ''
    const onopentag = (name: string, attributes: Attributes) => {
      parent = name
      this.#depth += 1
      if (this.#depth > maxDepth) throw nestedTooDeep()
      if (this.#leftOut === 0) onOpen(name, attributes)
    }
    const ontext = (text: string) => {
      if (this.#leftOut === 0) onText(text, parent)
    }
    const onclosetag = (name: string) => {
      parent = ''
      if (this.#leftOut === 0) onClose(name)
      this.#endElement()
      this.#depth -= 1
    }
    const options = { xmlMode: true, decodeEntities: false }
    this.#parser = new Parser({ onopentag, ontext, onclosetag }, options)
  }

  edited(): string {
    this.#parser.end(this.#xml)
    this.#copyTo(this.#xml.length)
    return this.#outs.flat().join('')
  }

  get isEmpty(): boolean {
    return this.#xml[this.#parser.endIndex - 1] === '/'
  }

  replaceTag(text: string): void {
    this.#copyTo(this.#parser.startIndex)
    this.#copied = this.#parser.endIndex + 1
    this.#outs.at(-1)!.push(text)
  }

  /** Leaves out the element that opens, with all its content. */
  leaveOut(): void {
    this.#copyTo(this.#parser.startIndex)
    this.#leftOut = this.#depth
  }

  /** Passes the opening element, once closed and edited, to `end`, whose result replaces it. */
  divert(end: (xml: string) => string): void {
    this.#copyTo(this.#parser.startIndex)
    this.#outs.push([])
    this.#diverted.push({ depth: this.#depth, end })
  }

  #endElement(): void {
    const next = this.#parser.endIndex + 1
    if (this.#leftOut === this.#depth) [this.#leftOut, this.#copied] = [0, next]
    if (this.#diverted.at(-1)?.depth !== this.#depth) return
    this.#copyTo(next)
    const xml = this.#outs.pop()!.join('')
    this.#outs.at(-1)!.push(this.#diverted.pop()!.end(xml))
  }

  #copyTo(index: number): void {
    if (index <= this.#copied) return
    this.#outs.at(-1)!.push(this.#xml.slice(this.#copied, index))
    this.#copied = index
  }
}
