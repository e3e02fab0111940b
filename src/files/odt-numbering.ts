import { countOn, listNumber } from './lists.ts'
import type { OdtLevel, OdtListStyles } from './odt-list-styles.ts'
import type { Attributes } from './xml.ts'

type List = { style: string; counts: number[] }

/** The numbers before the items of lists and the headings of an ODT, as they come one after the other. */
export class OdtNumbering {
  readonly #styles: OdtListStyles
  readonly #outline: number[] = []
  readonly #byId = new Map<string, number[]>()
  readonly #byStyle = new Map<string, number[]>()
  readonly #open: List[] = []
  /** The item that has no paragraph yet. */
  #item: { start: number | undefined } | undefined

  constructor(styles: OdtListStyles) {
    this.#styles = styles
  }

  beginList(attributes: Attributes): void {
    const parent = this.#open.at(-1)
    const style = attributes['text:style-name'] ?? parent?.style ?? ''
    this.#open.push({ style, counts: parent?.counts ?? this.#countsOf(style, attributes) })
  }

  endList(): void {
    this.#open.pop()
  }

  beginItem(attributes: Attributes): void {
    this.#item = { start: startIn(attributes) }
  }

  /** Also for the header of a list, which has no number. */
  endItem(): void {
    this.#item = undefined
  }

  get isNumbered(): boolean {
    return this.#levels[this.#open.length - 1]?.format !== undefined
  }

  ofParagraph(): string | undefined {
    const [list, item] = [this.#open.at(-1), this.#item]
    this.#item = undefined
    if (!list || !item) return undefined
    return next(list.counts, this.#levels, this.#open.length - 1, item.start)
  }

  ofHeading(attributes: Attributes): string | undefined {
    if (this.#open.length > 0) return this.ofParagraph()
    if (attributes['text:is-list-header'] === 'true') return undefined
    if (this.#styles.isUnnumbered(attributes['text:style-name'] ?? '')) return undefined
    const level = Number(attributes['text:outline-level'] ?? 1)
    return next(this.#outline, this.#styles.outline, level - 1, startIn(attributes))
  }

  get #levels(): OdtLevel[] {
    return this.#styles.lists.get(this.#open.at(-1)?.style ?? '') ?? []
  }

  #countsOf(style: string, attributes: Attributes): number[] {
    const { 'text:continue-list': continued, 'xml:id': id } = attributes
    const isContinued = attributes['text:continue-numbering'] === 'true'
    const before = isContinued ? this.#byStyle.get(style) : undefined
    const counts = (continued === undefined ? before : this.#byId.get(continued)) ?? []
    if (id !== undefined) this.#byId.set(id, counts)
    this.#byStyle.set(style, counts)
    return counts
  }
}

const startIn = (attributes: Attributes): number | undefined => {
  const start = attributes['text:start-value']
  return start === undefined ? undefined : Number(start)
}

function next(
  counts: number[],
  levels: OdtLevel[],
  place: number,
  start: number | undefined,
): string | undefined {
  const own = levels[place]
  if (!own) return undefined
  countOn(counts, levels, place, start)
  if (own.format === undefined) return undefined
  const shown = counts.flatMap((count, at) => {
    const { format } = levels[at] ?? {}
    return format === undefined || at <= place - own.shown ? [] : [listNumber(count, format)]
  })
  return `${own.prefix}${shown.join('.')}${own.suffix}`.trim()
}
