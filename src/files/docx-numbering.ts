import { countOn, listNumber } from './lists.ts'
import { type Attributes, readXml } from './xml.ts'

type Level = ReturnType<typeof newLevel>
type List = { levels: Level[]; style: string }
type Numbered = { list: string; starts: Map<number, number> }

export type ListPosition = { list: string; level: number }

export const maxLevels = 9
const newLevel = () => ({
  start: 1,
  format: 'decimal',
  text: '',
  hasPicture: false,
  isLegal: false,
})

/** The numbers that Word writes before paragraphs, as they come one after the other. */
export class Numbering {
  readonly #lists: ReadonlyMap<string, List>
  readonly #numbered: ReadonlyMap<string, Numbered>
  readonly #counts = new Map<string, number[]>()
  readonly #begun = new Set<string>()
  readonly #ofStyles: ReadonlyMap<string, ListPosition>

  /** @param ofStyles the lists that styles put their paragraphs in */
  constructor(xml: Uint8Array | undefined, ofStyles: ReadonlyMap<string, ListPosition>) {
    this.#ofStyles = ofStyles
    const reader = new NumberingReader()
    if (xml) readXml(xml, reader)
    this.#lists = reader.lists
    this.#numbered = reader.numbered
  }

  /** The number of a list's next paragraph, "" if Word shows nothing before it. Undefined for bullets, and without a list. */
  next({ list, level }: ListPosition): string | undefined {
    const numbered = this.#numbered.get(list)
    const levels = this.#levelsOf(numbered?.list)
    const own = levels?.[level]
    if (!numbered || !levels || !own || level >= maxLevels) return undefined
    const counts = this.#counts.get(numbered.list) ?? []
    this.#counts.set(numbered.list, counts)
    const start = numbered.starts.get(level)
    const begins = counts[level] === undefined || !this.#begun.has(`${list} ${level}`)
    this.#begun.add(`${list} ${level}`)
    countOn(counts, levels, level, begins ? start : undefined)
    if (own.format === 'bullet') return own.hasPicture || own.text.trim() !== '' ? undefined : ''
    const text = own.text.replace(/%(?<digit>[1-9])/g, (_, digit: string) => {
      const place = Number(digit) - 1
      const format = own.isLegal ? 'decimal' : (levels[place]?.format ?? 'decimal')
      return listNumber(counts[place] ?? 1, format)
    })
    return text.trim()
  }

  /** A list may have its levels from the one of a style. */
  #levelsOf(id: string | undefined): Level[] | undefined {
    const list = this.#lists.get(id ?? '')
    if (!list || list.style === '' || list.levels.length > 0) return list?.levels
    const place = this.#ofStyles.get(list.style)
    return this.#lists.get(this.#numbered.get(place?.list ?? '')?.list ?? '')?.levels
  }
}

/** Reads the lists of a document, and which of its numbers are of which list. */
class NumberingReader {
  readonly lists = new Map<string, List>()
  readonly numbered = new Map<string, Numbered>()
  #list: List = { levels: [], style: '' }
  #numbered: Numbered = { list: '', starts: new Map() }
  #level = newLevel()
  #place = 0
  #isOverride = false

  readonly onopentag = (name: string, attributes: Attributes): void => {
    const value = attributes['w:val'] ?? ''
    if (name === 'w:abstractNum') this.#beginList(attributes['w:abstractNumId'] ?? '')
    if (name === 'w:numStyleLink') this.#list.style = value
    if (name === 'w:num') this.#beginNumbered(attributes['w:numId'] ?? '')
    if (name === 'w:abstractNumId') this.#numbered.list = value
    if (name === 'w:lvlOverride') [this.#isOverride, this.#place] = [true, levelIn(attributes)]
    if (name === 'w:startOverride') this.#numbered.starts.set(this.#place, Number(value))
    if (name === 'w:lvl') this.#beginLevel(levelIn(attributes))
    this.#readLevel(name, value)
  }

  readonly onclosetag = (name: string): void => {
    if (name === 'w:lvlOverride') this.#isOverride = false
  }

  #beginList(id: string): void {
    this.#list = { levels: [], style: '' }
    this.lists.set(id, this.#list)
  }

  #beginNumbered(id: string): void {
    this.#numbered = { list: '', starts: new Map() }
    this.numbered.set(id, this.#numbered)
  }

  #beginLevel(place: number): void {
    this.#level = newLevel()
    if (!this.#isOverride) this.#list.levels[place] = this.#level
  }

  #readLevel(name: string, value: string): void {
    if (name === 'w:start') this.#level.start = Number(value)
    if (name === 'w:numFmt') this.#level.format = value
    if (name === 'w:lvlText') this.#level.text = value
    if (name === 'w:lvlPicBulletId') this.#level.hasPicture = true
    if (name === 'w:isLgl') this.#level.isLegal = value !== '0' && value !== 'false'
  }
}

const levelIn = (attributes: Attributes): number => Number(attributes['w:ilvl'] ?? 0)
