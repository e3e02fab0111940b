import { tableLines } from './markdown.ts'
import { plainNumber, shownBy, XlsxNumbers } from './xlsx-numbers.ts'
import { readPlainXml, textsIn } from './xml.ts'

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
  const titles: string[] = []
  const all: Series[] = []
  const open: string[] = []
  let [title, place, startsIn1904] = ['', 0, false]
  readPlainXml(xml, {
    onopentag: (name, { idx = '0', val = '1' }) => {
      open.push(name)
      if (name === 'date1904') startsIn1904 = val === '1' || val === 'true'
      if (name === 'ser') all.push({ name: '', categories: { texts: [] }, values: { texts: [] } })
      if (name === 'pt') place = Math.min(maxPoints, Number(idx) || 0)
      const points = ofNumbers.has(name) ? pointsIn(all.at(-1), open) : undefined
      if (points) points.format = ''
    },
    ontext: (text) => {
      const tag = open.at(-1)
      const series = open.includes('ser') ? all.at(-1) : undefined
      if (tag === 't' && !series) title += text
      if (!series) return
      const points = pointsIn(series, open)
      if (tag === 'formatCode' && points) points.format += text
      if (tag !== 'v') return
      if (open.includes('tx')) series.name += text
      else if (points) add(points.texts, place, text)
    },
    onclosetag: (name) => {
      open.pop()
      if (name !== 'p' || title.trim() === '') return
      titles.push(title.trim())
      title = ''
    },
  })
  return { titles, rows: rowsOf(all, startsIn1904) }
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
