import { Parser } from 'htmlparser2'
import { maxDepth } from './limits.ts'
import { nestedTooDeep } from './refusals.ts'

/** Says what is done with the tag at hand; one of which nothing is said stays as it is. */
type Handler = {
  onOpen: (name: string, attributes: Record<string, string>) => void
  /** As it is written, with its entities. */
  onText: (text: string, parent: string) => void
  onClose: (name: string) => void
}

/** Copies XML with edits, without making a tree of it. */
export class XmlEditor {
  readonly #xml: string
  readonly #parser: Parser
  /** What was copied, and above it what was diverted so far. */
  readonly #outs: string[][] = [[]]
  readonly #diverted: { depth: number; end: (xml: string) => string }[] = []
  #copied = 0
  #depth = 0
  /** The depth of the element that is left out, 0 where none is. */
  #leftOut = 0

  constructor(xml: string, { onOpen, onText, onClose }: Handler) {
    this.#xml = xml
    let parent = ''
    const onopentag = (name: string, attributes: Record<string, string>) => {
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

  /** Whether the element that opens closes itself. */
  get isEmpty(): boolean {
    return this.#xml[this.#parser.endIndex - 1] === '/'
  }

  replaceTag(text: string): void {
    this.#copyTo(this.#parser.startIndex)
    this.#copied = this.#parser.endIndex + 1
    this.#outs.at(-1)!.push(text)
  }

  /** The element that opens, with all that is in it. */
  leaveOut(): void {
    this.#copyTo(this.#parser.startIndex)
    this.#leftOut = this.#depth
  }

  /** Gives the element that opens to `end` as it closes, with its edits; what `end` returns takes its place. */
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
