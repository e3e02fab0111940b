import { lineEnd, lineStart, type Span } from '../../text/span.ts'

/** A table in HTML, AsciiDoc or MediaWiki, whose cells may stand in lines of their own; its first row may be a head. */
export type MarkupTable = Span & { rows: Span[]; hasHead: boolean }

/** The tables of a text, in order. Others than those of short rows lay out a page. */
export function markupTablesIn(text: string): MarkupTable[] {
  const textOf = ({ start, end }: Span) => text.slice(start, end)
  return [...tagTablesIn(text), ...asciiDocIn(text), ...mediaWikiIn(text)]
    .filter(({ rows }) => rows.length > 1 && rows.every((row) => isRow(textOf(row))))
    .toSorted((a, b) => a.start - b.start)
}

const maxRow = 700
/** In addresses it may have more. */
const maxWithTags = 2_000
const isRow = (row: string): boolean =>
  row.length <= maxWithTags && withoutTags(row).length <= maxRow && !row.includes('```')

export const withoutTags = (text: string): string => text.replaceAll(/<[^<>]*>/g, ' ')

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

const rowInTags = /<tr\b[^<>]*>(?:(?!<tr\b)[^])*?<\/tr>/gi
const tagsAlone = /^(?:\s|<\/?[a-z][^<>]*>|<!--(?:(?!-->)[^])*-->)*$/i

/** Rows with nothing but tags between them, in lines of their own. The rows of a head are one. */
function tagTablesIn(text: string): MarkupTable[] {
  const tables: MarkupTable[] = []
  for (const { 0: row, index: start } of text.matchAll(rowInTags)) {
    const end = start + row.length
    const isHead = /<th\b/i.test(row) && !/<td\b/i.test(row)
    const last = tables.at(-1)
    const above = last?.rows.at(-1)
    if (!last || !above || !isOneTable(text.slice(above.end, start)))
      tables.push({ start: lineStart(text, start), end, rows: [{ start, end }], hasHead: isHead })
    else if (isHead && last.hasHead && last.rows.length === 1) above.end = end
    else last.rows.push({ start, end })
    tables.at(-1)!.end = lineEnd(text, end)
  }
  const isAlone = (start: number, end: number) => tagsAlone.test(text.slice(start, end))
  return tables.filter(
    ({ start, end, rows }) => isAlone(start, rows[0]!.start) && isAlone(rows.at(-1)!.end, end),
  )
}

const isOneTable = (between: string): boolean =>
  tagsAlone.test(between) && !/<\/table/i.test(between)

const asciiDoc =
  /^(?:\[(?<attributes>[^\n]*)\][ \t]*\n(?:\.[^\n]*\n)?)?(?<open>\|={3,}[ \t]*\n)(?<body>(?:(?!\|={3})[^\n]*\n)*)\|={3,}[ \t]*$/gm
const columnsIn = /\bcols="?(?:(?<times>\d+)\*|(?<list>[^"\]]*))/

/** Those with cells in several lines; others are read by their lines. */
function asciiDocIn(text: string): MarkupTable[] {
  const tables = Array.from(text.matchAll(asciiDoc), ({ 0: whole, index, groups }) => {
    const { attributes = '', open = '', body = '' } = groups!
    const end = index + whole.length
    const start = index + whole.indexOf(open, attributes.length)
    const lines = linesIn(text, start + open.length, body.length)
    const first = lines.slice(0, Math.max(1, lines.findIndex(isBlank)))
    const { times, list } = columnsIn.exec(attributes)?.groups ?? {}
    const told = Number(times ?? list?.split(',').length ?? 0)
    const columns = told || first.reduce((sum, line) => sum + barsIn(text, line), 0)
    const isHeadAlone = first.length === 1 && lines.length > 1 && isBlank(lines[1]!)
    const rows = rowsOfCells(text, lines, columns)
    return { start, end, rows, hasHead: isHeadAlone || /\bheader\b/.test(attributes) }
  })
  return tables.filter(({ rows }) =>
    rows.some(({ start, end }) => text.slice(start, end).includes('\n')),
  )
}

const barsIn = (text: string, { start, end }: Span): number =>
  text.slice(start, end).match(/(?<!\\)\|/g)?.length ?? 0

/** A line without a bar goes on with the cell above. */
function rowsOfCells(text: string, lines: Span[], columns: number): Span[] {
  const rows: Span[] = []
  let cells = columns
  for (const line of lines.filter((one) => !isBlank(one))) {
    const more = barsIn(text, line)
    const isNew = more > 0 && cells >= columns
    if (isNew) rows.push({ ...line })
    else if (rows.length > 0) rows.at(-1)!.end = line.end
    cells = isNew ? more : cells + more
  }
  return rows
}

const mediaWiki = /^(?<open>\{\|[^\n]*\n)(?<body>(?:(?!\|\}|\{\|)[^\n]*\n)*)\|\}[^\n]*$/gm
/** What parts rows, and a caption. */
const betweenRows = /^\|[-+]/

function mediaWikiIn(text: string): MarkupTable[] {
  return Array.from(text.matchAll(mediaWiki), ({ 0: whole, index, groups }) => {
    const { open = '', body = '' } = groups!
    const rows: Span[] = []
    let isNew = true
    for (const line of linesIn(text, index + open.length, body.length)) {
      const isBetween = betweenRows.test(text.slice(line.start, line.end))
      if (!isBetween && isNew) rows.push({ ...line })
      else if (!isBetween) rows.at(-1)!.end = line.end
      isNew = isBetween
    }
    const [first] = rows
    const hasHead = first !== undefined && !/^[^!]/m.test(text.slice(first.start, first.end))
    return { start: index, end: index + whole.length, rows, hasHead }
  })
}

const isBlank = ({ start, end }: Span): boolean => start === end

function linesIn(text: string, from: number, length: number): Span[] {
  const lines: Span[] = []
  for (let start = from; start < from + length;) {
    const end = lineEnd(text, start)
    lines.push({ start, end: start + text.slice(start, end).trimEnd().length })
    start = end + 1
  }
  return lines
}
