import { isCodeStyle } from './code-style.ts'
import type { ListPosition } from './docx-numbering.ts'
import { readXml } from './xml.ts'

const newStyle = (id: string) => ({
  id,
  name: '',
  basedOn: '',
  outline: undefined as number | undefined,
  isBold: false,
  list: undefined as string | undefined,
  level: 0,
})
type Style = ReturnType<typeof newStyle>

const headingName = /^heading (?<level>[1-9])$/i
export const maxLevel = 6
/** Styles are based on one another, and a broken file may do so in a circle. */
const maxBases = 20

export const isOn = (value: string): boolean => !/^(?:0|false|off)$/.test(value)

export class DocxStyles {
  readonly #styles: ReadonlyMap<string, Style>
  #places: ReadonlyMap<string, ListPosition> | undefined

  constructor(xml: Uint8Array | undefined) {
    this.#styles = new Map((xml ? stylesIn(xml) : []).map((style) => [style.id, style]))
  }

  get ids(): string[] {
    return [...this.#styles.keys()]
  }

  headingLevel(id: string): number | undefined {
    return this.#firstOf(id, ({ name, outline }) => {
      if (name.toLowerCase() === 'title') return 1
      const named = headingName.exec(name)?.groups?.['level']
      if (named) return Math.min(maxLevel, Number(named))
      return outline === undefined ? undefined : outline < 9 ? outline + 1 : 0
    })
  }

  isBold(id: string): boolean {
    return this.#firstOf(id, ({ isBold }) => isBold || undefined) ?? false
  }

  isCode(id: string): boolean {
    return this.#firstOf(id, ({ name }) => isCodeStyle(name) || undefined) ?? false
  }

  get places(): ReadonlyMap<string, ListPosition> {
    return (this.#places ??= this.#placesOf())
  }

  #placesOf(): Map<string, ListPosition> {
    const placed = this.ids.flatMap((id): [string, ListPosition][] => {
      const list = this.#firstOf(id, (style) => style.list)
      const level = this.#styles.get(id)?.level ?? 0
      return list === undefined || list === '0' ? [] : [[id, { list, level }]]
    })
    return new Map(placed)
  }

  #firstOf<Value>(id: string, valueOf: (style: Style) => Value | undefined): Value | undefined {
    let style = this.#styles.get(id)
    for (let bases = 0; style && bases < maxBases; bases++) {
      const value = valueOf(style)
      if (value !== undefined) return value
      style = this.#styles.get(style.basedOn)
    }
    return undefined
  }
}

/** For mammoth: the styles of a document that are headings or code. */
export function styleMapOf(styles: DocxStyles): string[] {
  return styles.ids.flatMap((id) => {
    const level = styles.headingLevel(id)
    if (level) return [`p.${escaped(id)} => h${level}:fresh`]
    return styles.isCode(id) ? [`p.${escaped(id)} => pre:separator('\\n')`] : []
  })
}

function stylesIn(xml: Uint8Array): Style[] {
  const styles: Style[] = []
  let style: Style | undefined
  readXml(xml, {
    onopentag: (tag, attributes) => {
      const value = attributes['w:val'] ?? ''
      if (tag === 'w:style') {
        style = newStyle(attributes['w:styleId'] ?? '')
        if (style.id !== '') styles.push(style)
      }
      if (!style) return
      if (tag === 'w:name') style.name = value
      if (tag === 'w:basedOn') style.basedOn = value
      if (tag === 'w:outlineLvl') style.outline = Number(value)
      if (tag === 'w:numId') style.list = value
      if (tag === 'w:ilvl') style.level = Number(value)
      if (tag === 'w:b') style.isBold = isOn(value)
    },
  })
  return styles
}

const escaped = (id: string): string => id.replace(/[^a-z]/gi, '\\$&')
