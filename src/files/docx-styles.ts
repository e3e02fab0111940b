import { readXml } from './xml.ts'

type Style = { id: string; name: string; basedOn: string; outline: number | undefined }

const headingName = /^heading (?<level>[1-9])$/i
const maxLevel = 6
/** Styles are based on one another, and a broken file may do so in a circle. */
const maxBases = 20

/** For mammoth: the styles of a document that are headings, by their outline or by what they are based on. */
export function headingStyles(xml: Uint8Array | undefined): string[] {
  const styles = new Map((xml ? stylesIn(xml) : []).map((style) => [style.id, style]))
  return [...styles.values()].flatMap(({ id }) => {
    const level = levelOf(styles, id)
    return level === undefined ? [] : [`p.${escaped(id)} => h${Math.min(maxLevel, level)}:fresh`]
  })
}

function stylesIn(xml: Uint8Array): Style[] {
  const styles: Style[] = []
  let style: Style | undefined
  readXml(xml, {
    onopentag: (tag, attributes) => {
      const value = attributes['w:val'] ?? ''
      if (tag === 'w:style') {
        style = { id: attributes['w:styleId'] ?? '', name: '', basedOn: '', outline: undefined }
        if (attributes['w:type'] === 'paragraph' && style.id !== '') styles.push(style)
      }
      if (!style) return
      if (tag === 'w:name') style.name = value
      if (tag === 'w:basedOn') style.basedOn = value
      if (tag === 'w:outlineLvl') style.outline = Number(value)
    },
  })
  return styles
}

function levelOf(styles: ReadonlyMap<string, Style>, id: string): number | undefined {
  let style = styles.get(id)
  for (let bases = 0; style && bases < maxBases; bases++) {
    if (style.name.toLowerCase() === 'title') return 1
    const named = headingName.exec(style.name)?.groups?.['level']
    if (named) return Number(named)
    if (style.outline !== undefined) return style.outline < 9 ? style.outline + 1 : undefined
    style = styles.get(style.basedOn)
  }
  return undefined
}

const escaped = (id: string): string => id.replace(/[^a-z]/gi, '\\$&')
