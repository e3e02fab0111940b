import type { Span } from './span.ts'

/** The rows of a table in AsciiDoc, whose attributes stand above it. */
export function asciiDocRows(
  text: string,
  lines: readonly Span[],
  attributes: string,
): { rows: Span[]; hasHead: boolean } {
  // A first row in a line is a head where a blank line follows.
  const isFirstAlone = lines[1] !== undefined && isBlank(lines[1])
  const hasHead = isFirstAlone || /\bheader\b/.test(attributes)
  return { rows: rowsOf(text, lines, attributes), hasHead }
}

const isBlank = ({ start, end }: Span): boolean => start === end

/** As `cols="1,2a"`, `cols="2*,1"` and `cols=3`. */
function columnsIn(attributes: string): number {
  const { list, one } = /\bcols=(?:"(?<list>[^"]*)|(?<one>[^",]*))/.exec(attributes)?.groups ?? {}
  const columns = list ?? one ?? ''
  if (!/\D/.test(columns)) return Number(columns)
  return columns.split(/[,;]/).reduce((sum, column) => sum + timesOf(column), 0)
}

const timesOf = (column: string): number => Number(/^\s*(\d+)\*/.exec(column)?.[1] ?? 1)

/** Before its bar stands how many columns and rows a cell spans. */
const cell = /(?:(?<=^|\s)(?<wide>\d{1,2})?(?:\.(?<high>\d{1,2}))?\+[^\s|]{0,6})?(?<!\\)\|/g

/** A row has a cell for each column, which are those of the first line; a line without a bar goes on with the cell above. */
function rowsOf(text: string, lines: readonly Span[], attributes: string): Span[] {
  const rows: Span[] = []
  let columns = columnsIn(attributes)
  let filled = columns
  /** Of each row below, how many columns cells from above fill. */
  const covered: number[] = []
  for (const line of lines.filter((one) => !isBlank(one))) {
    const cells = Array.from(text.slice(line.start, line.end).matchAll(cell))
    const last = rows.at(-1)
    if (last && (cells.length === 0 || filled < columns)) last.end = line.end
    else {
      rows.push({ ...line })
      filled = covered.shift() ?? 0
    }
    for (const { groups } of cells) {
      const { wide = 1, high = 1 } = groups!
      filled += Number(wide)
      for (let below = 0; below < Number(high) - 1; below++)
        covered[below] = (covered[below] ?? 0) + Number(wide)
    }
    columns ||= filled
  }
  return rows
}
