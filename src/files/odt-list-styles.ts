import { isCodeStyle } from './code-style.ts'
import { type Attributes, readNested } from './xml.ts'

export type OdtLevel = ReturnType<typeof levelIn>

type ParagraphStyle = { list: string | undefined; parent: string }

/** As Word names them. */
const formats: Record<string, string> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
}
const levelTags = /^text:(?:list-level-style-(?:number|bullet|image)|outline-level-style)$/
const maxLevels = 10
/** As `super 58%` and `33% 58%`. */
const raised = /^(?:super|[1-9])/
/** Styles are based on one another, and a broken file may do so in a circle. */
const maxBases = 20

export class OdtListStyles {
  readonly lists = new Map<string, OdtLevel[]>()
  readonly outline: OdtLevel[] = []
  readonly #paragraphs = new Map<string, ParagraphStyle>()
  readonly #raised = new Set<string>()

  /** @param parts those with styles; later ones go before */
  constructor(parts: (Uint8Array | undefined)[]) {
    for (const part of parts) if (part) this.#read(part)
  }

  /** Whether a style takes its paragraphs out of all lists. */
  isUnnumbered(name: string): boolean {
    return this.#basesOf(name).find(({ list }) => list !== undefined)?.list === ''
  }

  isCode(name: string): boolean {
    return isCodeStyle(name) || this.#basesOf(name).some(({ parent }) => isCodeStyle(parent))
  }

  isRaised(name: string): boolean {
    return this.#raised.has(name)
  }

  #basesOf(name: string): ParagraphStyle[] {
    const bases: ParagraphStyle[] = []
    let style = this.#paragraphs.get(name)
    while (style && bases.push(style) < maxBases) style = this.#paragraphs.get(style.parent)
    return bases
  }

  #read(part: Uint8Array): void {
    let [levels, open]: [OdtLevel[], string] = [[], '']
    readNested(part, {
      isHidden: (name) => name === 'office:body',
      onOpen: (name, attributes) => {
        const style = attributes['style:name'] ?? ''
        if (name === 'text:outline-style') levels = this.outline
        if (name === 'text:list-style') this.lists.set(style, (levels = []))
        if (levelTags.test(name)) {
          const place = Number(attributes['text:level']) - 1
          if (place < maxLevels) levels[place] = levelIn(attributes)
        }
        if (
          name === 'style:text-properties' &&
          raised.test(attributes['style:text-position'] ?? '')
        ) {
          this.#raised.add(open)
        }
        if (name !== 'style:style') return
        open = style
        this.#raised.delete(style)
        if (attributes['style:family'] !== 'paragraph') return
        const parent = attributes['style:parent-style-name'] ?? ''
        this.#paragraphs.set(style, { list: attributes['style:list-style-name'], parent })
      },
    })
  }
}

/** Bullets have no format; `shown` is how many levels a number has, as in `2.1.3`. */
function levelIn(attributes: Attributes) {
  const format = attributes['style:num-format'] ?? ''
  return {
    format: format === '' ? undefined : (formats[format] ?? 'decimal'),
    prefix: attributes['style:num-prefix'] ?? '',
    suffix: attributes['style:num-suffix'] ?? '',
    start: Number(attributes['text:start-value'] ?? 1),
    shown: Number(attributes['text:display-levels'] ?? 1),
  }
}
