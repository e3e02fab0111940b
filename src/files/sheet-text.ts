import { isFilled, tableLines } from './markdown.ts'
import { withGroups } from './sheet-groups.ts'

type Rows = string[][]

/** A sheet as tables of Markdown and lines between them; an empty row ends a table above a title or a head. */
export function sheetText(rows: Rows): string {
  if (!rows.some(isOfSeveral)) return tableLines(rows).join('\n')
  const texts: string[] = []
  let table: Rows[] = []
  /** Lines of one cell, which are rows of the table above if it goes on below them. */
  let between: Rows[] = []
  const endTable = () => {
    texts.push(
      tableLines(withGroups(table.flat())).join('\n'),
      between.flat().map(textOf).join('\n\n'),
    )
    between = []
  }
  for (const block of blocksOf(rows)) {
    if (!block.some(isOfSeveral)) between.push(block)
    else if (table.length > 0 && !beginsTable(block, table[0]!.filter(isOfSeveral))) {
      for (const rowsOfTable of [...between.splice(0), block]) table.push(rowsOfTable)
    } else {
      endTable()
      table = [block]
    }
  }
  endTable()
  return texts.filter((text) => text !== '').join('\n\n')
}

function blocksOf(rows: Rows): Rows[] {
  const blocks: Rows[] = [[]]
  for (const row of rows) {
    if (row.some(isFilled)) blocks.at(-1)!.push(row)
    else if (blocks.at(-1)!.length > 0) blocks.push([])
  }
  return blocks.filter(({ length }) => length > 0)
}

const isOfSeveral = (row: string[]): boolean => row.filter(isFilled).length > 1
const textOf = (row: string[]): string => row.filter(isFilled).join(' ')

/** Whether a head stands at its beginning, or a title above another number of columns. */
function beginsTable(block: Rows, [above = []]: Rows): boolean {
  const [first = [], ...others] = block.slice(block.findIndex(isOfSeveral))
  const withDigit = others.filter((row) => row.some(hasDigit)).length
  const isHead = !first.some(hasDigit) && withDigit > others.length / 2
  const isTitled = !isOfSeveral(block[0]!)
  return isHead || (isTitled && first.filter(isFilled).length !== above.filter(isFilled).length)
}

const hasDigit = (cell: string): boolean => /\p{Nd}/v.test(cell)
