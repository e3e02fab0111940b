import { asciiDocRows } from './asciidoc-rows.ts'
import { lineEnd, lineStart, type Span } from './span.ts'

/**
 * A table in HTML, AsciiDoc, MediaWiki or a grid of reStructuredText, in whole lines. Its cells may stand in lines of
 * their own, and the rows of its head are one.
 */
export type MarkupTable = Span & { rows: Span[]; hasHead: boolean }

const opening =
  /(?<tag><tr\b[^<>]*>)|^(?:\[(?<attributes>[^\n]*)\]\s*\n)?\|={3,}\s*\n(?=\S{0,9}\|(?!=))|^(?<wiki>\{\|[^\n]*)\n|^[ \t]*(?<grid>\+[-+]+\+)\s*\n(?=[ \t]*\|)/gim

/**
 * The tables of a text, in order; its end may cut the last one. What begins like a table and is none comes without rows,
 * so that each step is short.
 */
export function* markupTablesIn(text: string): Generator<MarkupTable> {
  let behind = 0
  for (const { 0: opened, index, groups } of text.matchAll(opening)) {
    if (index < behind) continue
    const bars = { start: index, from: index + opened.length }
    const found = groups!['tag'] ? tagTable(text, index) : barTable(text, bars, groups!)
    const table = withWholeHead(text, found)
    behind = table.end
    yield areRows(table.rows.map(({ start, end }) => text.slice(start, end)))
      ? table
      : { ...table, rows: [] }
  }
}

function withWholeHead(text: string, table: MarkupTable): MarkupTable {
  const { rows } = table
  const below = rows.findIndex(({ start, end }) => !isHead(text.slice(start, end)))
  if (below < 1) return table
  const head = { start: rows[0]!.start, end: rows[below - 1]!.end }
  return { ...table, rows: [head, ...rows.slice(below)], hasHead: true }
}

const isHead = (row: string): boolean =>
  row.startsWith('!')
    ? row.split('\n').every((line) => line.startsWith('!'))
    : /^<tr\b/i.test(row) && /<th\b/i.test(row) && !/<td\b/i.test(row)

const maxRow = 2_000

/** Tables of mostly longer rows lay out a page. */
const areRows = (rows: string[]): boolean =>
  rows.length > 1 &&
  2 * rows.filter(({ length }) => length <= maxRow).length > rows.length &&
  !rows.some((row) => row.includes('```'))

const withoutTags = (text: string): string => text.replaceAll(/<[^<>]*>/g, ' ')

const cellInTags = /<t[dh]\b[^<>]*>(?<cell>(?:(?!<\/?t[dhr]\b)[^])*)/gi
const formatOfCell = /^\s*(?:[a-z]+="[^"]*"\s*)+$/

export function markupCellsOf(row: string): string[] {
  if (/^<tr\b/i.test(row))
    return Array.from(row.matchAll(cellInTags), ({ groups }) =>
      withoutTags(groups!['cell']!).trim(),
    )
  return row
    .split(/\|\||!!|(?<!\\)\||^!/m)
    .slice(1)
    .filter((cell) => !formatOfCell.test(cell))
    .map((cell) => cell.trim())
}

const rowsInTags =
  /(?<row><tr\b[^<>]*>(?:(?!<tr\b)[^])*?<\/tr>)(?:\s|<(?!tr\b|\/table\b)[^<>]*>)*/giy
const tagsAlone = /^(?:\s|<[^<>]*>)*$/

/** Of its first and last line, a table has no more than this around its rows. */
const maxAround = 500

/** Rows with nothing but tags between them. Tables inside a line have none. */
function tagTable(text: string, at: number): MarkupTable {
  rowsInTags.lastIndex = at
  const rows = Array.from(text.matchAll(rowsInTags), ({ index, groups }) => ({
    start: index,
    end: index + groups!['row']!.length,
  }))
  const last = rows.at(-1)?.end ?? at
  const above = text.slice(Math.max(0, at - maxAround), at)
  const start = at - above.length + lineStart(above, above.length)
  const end = last + behindLine(text.slice(last, last + maxAround), 0)
  const isAlone = tagsAlone.test(text.slice(start, at)) && tagsAlone.test(text.slice(last, end))
  return { start, end: last, hasHead: false, ...(isAlone ? { rows, end } : { rows: [] }) }
}

const maxTable = 200_000
const endOfAsciiDoc = /^\|={3,}\s*$/gm
const endOfWiki = /^\|\}/gm
const endOfGrid = /^(?![ \t]*[|+])/gm

/** What begins with `|===`, `{|` or `+---+`, up to what ends it; its rows stand `from` there. */
function barTable(
  text: string,
  { start, from }: { start: number; from: number },
  { wiki, grid, attributes = '' }: Record<string, string | undefined>,
): MarkupTable {
  const ending = wiki ? endOfWiki : grid ? endOfGrid : endOfAsciiDoc
  ending.lastIndex = from
  const to = Math.min(ending.exec(text)?.index ?? text.length, from + maxTable)
  const lines = linesIn(text, from, to)
  if (grid) return { start, end: to, ...gridRows(text, lines) }
  const read = wiki
    ? { rows: rowsBetween(ofWiki, text, lines), hasHead: false }
    : asciiDocRows(text, lines, attributes)
  return { start, end: behindLine(text, to), ...read }
}

/** What parts rows, and a caption. */
const ofWiki = /^\|[-+]/
const ofGrid = /^[ \t]*\+[-=+]+\+$/
const belowHead = /^[ \t]*\+=/

/** Where no lines part the rows below the head, as of MySQL, each line is a row, which is no markup. */
function gridRows(text: string, lines: readonly Span[]): { rows: Span[]; hasHead: boolean } {
  const rows = rowsBetween(ofGrid, text, lines)
  const hasHead = lines.some(({ start, end }) => belowHead.test(text.slice(start, end)))
  return { rows: hasHead && rows.length > 2 ? rows : [], hasHead }
}

function rowsBetween(rule: RegExp, text: string, lines: readonly Span[]): Span[] {
  const rows: Span[] = []
  let isNew = true
  for (const { start, end } of lines.filter((line) => line.end > line.start)) {
    const isBetween = rule.test(text.slice(start, end))
    if (!isBetween && isNew) rows.push({ start, end })
    else if (!isBetween) rows.at(-1)!.end = end
    isNew = isBetween
  }
  return rows
}

function linesIn(text: string, from: number, to: number): Span[] {
  const lines: Span[] = []
  for (let start = from; start < to; start = behindLine(text, start)) {
    const end = Math.min(to, lineEnd(text, start))
    lines.push({ start, end: start + text.slice(start, end).trimEnd().length })
  }
  return lines
}

const behindLine = (text: string, at: number): number =>
  Math.min(text.length, lineEnd(text, at) + 1)
