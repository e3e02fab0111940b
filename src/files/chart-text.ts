import { tableLines } from './markdown.ts'
import { readPlainXml } from './xml.ts'

type Series = { name: string; categories: string[]; values: string[] }

/** Of a series. A file with a farther point is made to waste memory. */
const maxPoints = 10_000

export type Chart = { titles: string[]; rows: string[][] }

export function chartText(xml: Uint8Array): string {
  const { titles, rows } = chartIn(xml)
  return [...titles, tableLines(rows).join('\n')].filter((part) => part !== '').join('\n\n')
}

export function chartIn(xml: Uint8Array): Chart {
  const titles: string[] = []
  const all: Series[] = []
  const open: string[] = []
  let [title, place] = ['', 0]
  readPlainXml(xml, {
    onopentag: (name, { idx = '0' }) => {
      open.push(name)
      if (name === 'ser') all.push({ name: '', categories: [], values: [] })
      if (name === 'pt') place = Math.min(maxPoints, Number(idx) || 0)
    },
    ontext: (text) => {
      const tag = open.at(-1)
      const series = open.includes('ser') ? all.at(-1) : undefined
      if (tag === 't' && !series) title += text
      if (tag !== 'v' || !series) return
      if (open.includes('tx')) series.name += text
      else if (open.includes('cat') || open.includes('xVal')) add(series.categories, place, text)
      else if (open.includes('val') || open.includes('yVal')) add(series.values, place, text)
    },
    onclosetag: (name) => {
      open.pop()
      if (name !== 'p' || title.trim() === '') return
      titles.push(title.trim())
      title = ''
    },
  })
  return { titles, rows: rowsOf(all) }
}

/** A point's text may come in pieces. */
const add = (texts: string[], place: number, text: string): void => {
  texts[place] = (texts[place] ?? '') + text
}

function rowsOf(all: Series[]): string[][] {
  const longest = Math.max(0, ...all.map(({ values }) => values.length))
  if (longest === 0) return []
  const categories = all.find((series) => series.categories.length > 0)?.categories ?? []
  const rows = Array.from({ length: longest }, (_, place) => [
    categories[place] ?? '',
    ...all.map(({ values }) => values[place] ?? ''),
  ])
  return [['', ...all.map(({ name }) => name)], ...rows]
}
