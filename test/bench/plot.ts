import { scaleLinear, scaleLog, scalePoint } from 'd3-scale'
import { line } from 'd3-shape'
import type { Measured } from './speeds.ts'

const width = 860
const height = 415
/** Where each panel's axes stand, and the room around them for what is written there. */
const panel = { width: 340, top: 90, bottom: 345, left: [70, 500] }
/** Okabe and Ito's, which can be told apart by all eyes. */
const colours = ['#0072b2', '#56b4e9', '#d55e00', '#009e73', '#cc79a7', '#e69f00']

type Point = { clients: number; value: number }
type Scale = ((value: number) => number) & { ticks: (count?: number) => number[] }
type Panel = {
  title: string
  left: number
  scale: (values: number[]) => Scale
  value: (measured: Measured) => number
}

const panels: Panel[] = [
  {
    title: 'Throughput, queries/s',
    left: panel.left[0]!,
    scale: (values) => scaleLinear([0, Math.max(...values)], [panel.bottom, panel.top]).nice(),
    value: ({ speed }) => speed.rate,
  },
  {
    title: 'Latency, p50 in ms (logarithmic)',
    left: panel.left[1]!,
    scale: (values) =>
      scaleLog([Math.min(...values), Math.max(...values)], [panel.bottom, panel.top]).nice(),
    value: ({ speed }) => speed.p50,
  },
]

/** Throughput and latency of each side against the number of clients, as an SVG file. */
export function plotOf(measured: Measured[], caption: string): string {
  const sides = [...new Set(measured.map(({ side }) => side))]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="13" fill="#222">
<title>Queries: throughput and latency against clients</title>
<rect width="${width}" height="${height}" fill="#fff"/>
${sides.map(legendOf).join('\n')}
${panels.map((one) => panelOf(one, measured, sides)).join('\n')}
<text x="${width - 20}" y="${height - 8}" font-size="11" fill="#666" text-anchor="end">${escaped(caption)}</text>
</svg>
`
}

const legendOf = (side: string, index: number): string => {
  const x = panel.left[0]! + index * 190
  return `<circle cx="${x}" cy="26" r="5" fill="${colourOf(index)}"/><text x="${x + 12}" y="30">${escaped(side)}</text>`
}

function panelOf({ title, left, scale, value }: Panel, measured: Measured[], sides: string[]) {
  const y = scale(measured.map(value))
  const right = left + panel.width
  const counts = [...new Set(measured.map(({ clients }) => clients))].toSorted((a, b) => a - b)
  const x = scalePoint(counts, [left, right]).padding(0.3)
  const ticks = ticksOf(y).map(
    (tick) =>
      `<line x1="${left}" x2="${right}" y1="${y(tick)}" y2="${y(tick)}" stroke="#ddd"/><text x="${left - 8}" y="${y(tick) + 4}" text-anchor="end">${tick.toLocaleString('en')}</text>`,
  )
  const marks = counts.map(
    (count) =>
      `<text x="${x(count)}" y="${panel.bottom + 18}" text-anchor="middle">${count}</text>`,
  )
  const lines = sides.map((side, index) => {
    const points = measured
      .filter((one) => one.side === side)
      .map((one): Point => ({ clients: one.clients, value: value(one) }))
    return lineOf(points, ({ clients }) => x(clients)!, y, colourOf(index))
  })
  return `<text x="${left}" y="${panel.top - 20}" font-weight="600">${title}</text>
${[...ticks, ...marks, ...lines].join('\n')}
<text x="${(left + right) / 2}" y="${panel.bottom + 36}" text-anchor="middle">clients</text>`
}

/** Of a logarithmic scale only 1, 2 and 5 of each power: all ten do not fit. */
const ticksOf = (scale: Scale): number[] => {
  const ticks = scale.ticks(6)
  return ticks.length <= 8 ? ticks : ticks.filter((tick) => /^0*\.?0*[125]0*$/.test(String(tick)))
}

function lineOf(points: Point[], x: (point: Point) => number, y: Scale, colour: string): string {
  const path = line(x, ({ value }: Point) => y(value))(points)
  const dots = points.map(
    (point) => `<circle cx="${x(point)}" cy="${y(point.value)}" r="4" fill="${colour}"/>`,
  )
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}`
}

const colourOf = (index: number): string => colours[index % colours.length]!

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
