import { tableLines } from './markdown.ts'
import { plainNumber, shownBy, XlsxNumbers } from './xlsx-numbers.ts'
import { type Attributes, readPlainXml, textsIn } from './xml.ts'

/** Texts have no format. */
type Points = { texts: string[]; format?: string }
type Series = { name: string; categories: Points; values: Points }

/** Of a series. A file with a farther point is made to waste memory. */
const maxPoints = 10_000

type Chart = { titles: string[]; rows: string[][] }

export function chartText(xml: Uint8Array): string {
  const { titles, rows } = chartIn(xml)
  return [...titles, tableLines(rows).join('\n')].filter((part) => part !== '').join('\n\n')
}

export function chartIn(xml: Uint8Array): Chart {
  const reader = new ChartReader()
  readPlainXml(xml, reader)
  return { titles: reader.titles, rows: rowsOf(reader.series, reader.startsIn1904) }
}

class ChartReader {
  readonly titles: string[] = []
  readonly series: Series[] = []
  startsIn1904 = false
  readonly #open: string[] = []
  #title = ''
  #place = 0

  readonly onopentag = (name: string, { idx = '0', val = '1' }: Attributes): void => {
    this.#open.push(name)
    if (name === 'date1904') this.startsIn1904 = val === '1' || val === 'true'
    if (name === 'ser')
      this.series.push({ name: '', categories: { texts: [] }, values: { texts: [] } })
    if (name === 'pt') this.#place = Math.min(maxPoints, Number(idx) || 0)
    const points = ofNumbers.has(name) ? pointsIn(this.series.at(-1), this.#open) : undefined
    if (points) points.format = ''
  }

  readonly ontext = (text: string): void => {
    const tag = this.#open.at(-1)
    const series = this.#open.includes('ser') ? this.series.at(-1) : undefined
    if (tag === 't' && !series) this.#title += text
    if (!series) return
    const points = pointsIn(series, this.#open)
    if (tag === 'formatCode' && points) points.format += text
    if (tag !== 'v') return
    if (this.#open.includes('tx')) series.name += text
    else if (points) add(points.texts, this.#place, text)
  }

  readonly onclosetag = (name: string): void => {
    this.#open.pop()
    if (name !== 'p' || this.#title.trim() === '') return
    this.titles.push(this.#title.trim())
    this.#title = ''
  }
}

const ofNumbers = new Set(['numCache', 'numLit'])

function pointsIn(series: Series | undefined, open: string[]): Points | undefined {
  if (open.includes('cat') || open.includes('xVal')) return series?.categories
  return open.includes('val') || open.includes('yVal') ? series?.values : undefined
}

const add = (texts: string[], place: number, text: string): void => {
  texts[place] = (texts[place] ?? '') + text
}

function rowsOf(all: Series[], startsIn1904: boolean): string[][] {
  const longest = Math.max(0, ...all.map(({ values }) => values.texts.length))
  if (longest === 0) return []
  const numbers = new XlsxNumbers(undefined, startsIn1904)
  const named = all.find(({ categories }) => categories.texts.length > 0)?.categories
  const columns = [named ?? { texts: [] }, ...all.map(({ values }) => values)]
  const shown = columns.map((points) => shownIn(points, numbers))
  const rows = Array.from({ length: longest }, (_, place) =>
    shown.map((texts) => texts[place] ?? ''),
  )
  return [['', ...all.map(({ name }) => name)], ...rows]
}

function shownIn({ texts, format }: Points, numbers: XlsxNumbers): string[] {
  if (format === undefined) return texts
  const shown = format === '' ? plainNumber : shownBy(format)
  return texts.map((text) => numbers.textAs(text, shown))
}

/** The paragraphs of a diagram or of another drawing of Office, in their order. */
export const drawnTexts = (xml: Uint8Array): string[] =>
  textsIn(xml, 'p', 'Fallback')
    .map((text) => text.trim())
    .filter((text) => text !== '')
