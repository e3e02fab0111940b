import { isNumber } from '../text/table-lines.ts'
import { type Row, type Segment, textOfRow } from './pdf-rows.ts'

/** A gap that runs down some rows; `first` and `last` are their places. */
type Gutter = { left: number; right: number; first: number; last: number }

const minRows = 2
/** In points and in sizes of the letters. */
const minWidth = 6

/** Orders rows as they are read: one column of text after the other. */
export function inColumns(rows: Row[]): Row[] {
  const gutter = gutterOf(rows)
  if (!gutter) return rows
  const { first, last, left } = gutter
  const within = rows.slice(first, last + 1)
  const part = (isOf: (segment: Segment) => boolean): Row[] =>
    within.flatMap((row) => {
      const segments = row.segments.filter(isOf)
      return segments.length > 0 ? [{ ...row, segments }] : []
    })
  return [
    ...inColumns(rows.slice(0, first)),
    ...inColumns(part((segment) => segment.right <= left + 1)),
    ...inColumns(part((segment) => segment.right > left + 1)),
    ...inColumns(rows.slice(last + 1)),
  ]
}

function gutterOf(rows: Row[]): Gutter | undefined {
  let best: Gutter | undefined
  const tried = new Set<string>()
  for (const [index, { segments }] of rows.entries()) {
    for (const [place, segment] of segments.slice(1).entries()) {
      const gap = { left: segments[place]!.right, right: segment.left, first: index, last: index }
      const key = `${Math.round(gap.left / 4)} ${Math.round(gap.right / 4)}`
      if (tried.has(key) || (best && index >= best.first && index <= best.last)) continue
      tried.add(key)
      const gutter = extended(rows, gap)
      const length = gutter.last - gutter.first
      if (length > (best ? best.last - best.first : 0) && partsColumns(rows, gutter)) best = gutter
    }
  }
  return best
}

function extended(rows: Row[], start: Gutter): Gutter {
  const gutter = { ...start }
  const takes = (row: Row | undefined): boolean => {
    if (!row) return false
    let { left, right } = gutter
    for (const segment of row.segments) {
      const middle = (left + right) / 2
      if (segment.right <= middle) left = Math.max(left, segment.right)
      else if (segment.left >= middle) right = Math.min(right, segment.left)
      else return false
    }
    if (right - left < minWidth) return false
    gutter.left = left
    gutter.right = right
    return true
  }
  while (takes(rows[gutter.last + 1])) gutter.last += 1
  while (takes(rows[gutter.first - 1])) gutter.first -= 1
  return withoutLoose(rows, withoutTables(rows, gutter))
}

/** The cells of a table are shorter than the lines of columns. */
const maxCell = 24
const minCells = 3

/** A table of numbers over all columns stands above or below them. */
function withoutTables(rows: Row[], gutter: Gutter): Gutter {
  const texts = rows
    .slice(gutter.first, gutter.last + 1)
    .map(({ segments, size }) => segments.map((segment) => textOfRow([segment], size)))
  const [start, end] = [texts.findIndex(isText), texts.findLastIndex(isText)]
  const top = texts.slice(0, start < 0 ? texts.length : start).findLastIndex(isOfTable)
  let below = texts.findIndex((cells, at) => at > Math.max(end, top) && isOfTable(cells))
  // The names of the columns have no numbers.
  while (below > end + 1 && texts[below - 1]!.length >= minCells) below -= 1
  const last = below < 0 ? gutter.last : gutter.first + below - 1
  return { ...gutter, first: gutter.first + top + 1, last }
}

const isText = (cells: string[]): boolean => cells.some((cell) => weight(cell) > maxCell)
const isOfTable = (cells: string[]): boolean => cells.length >= minCells && cells.some(isNumber)

const maxLoose = 1.8

/** Rows at the end that are apart on one side are below the columns. */
function withoutLoose(rows: Row[], gutter: Gutter): Gutter {
  let { last } = gutter
  while (last > gutter.first) {
    const [row, before] = [rows[last]!, rows[last - 1]!]
    const isBoth = row.segments[0]!.left < gutter.left && row.segments.at(-1)!.left > gutter.left
    if (isBoth || before.y - row.y < maxLoose * row.size) break
    last -= 1
  }
  return { ...gutter, last }
}

const minLongest = 18
const minWords = 2.5
const minGoingOn = 0.25

/** Text continues from line to line in a column, unlike in the cells of a table. */
function partsColumns(rows: Row[], { left, first, last }: Gutter): boolean {
  const sides: string[][] = [[], []]
  let both = 0
  for (const row of rows.slice(first, last + 1)) {
    const halves = [
      row.segments.filter((segment) => segment.left < left),
      row.segments.filter((segment) => segment.left >= left),
    ]
    if (halves.every(({ length }) => length > 0)) both += 1
    for (const [side, half] of halves.entries()) {
      if (half.length > 0) sides[side]!.push(textOfRow(half, row.size))
    }
  }
  if (both === 0 || sides.some((lines) => lines.length < minRows || !isProse(lines))) return false
  const next = sides.flatMap((lines) => lines.slice(1))
  const goingOn = next.filter((line) => /^[\p{Ll}\p{Lo}]/v.test(line))
  return goingOn.length >= minGoingOn * next.length
}

function isProse(lines: string[]): boolean {
  const longest = Math.max(...lines.map((line) => weight(line)))
  const words = lines.reduce(
    (sum, line) => sum + Math.max(line.split(' ').length, line.length / 8),
    0,
  )
  return longest >= minLongest && words >= minWords * lines.length
}

/** Letters of Chinese and Japanese are twice as wide. */
const weight = (line: string): number =>
  line.length + (line.match(/[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]/g)?.length ?? 0)
