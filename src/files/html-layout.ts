import { Parser, type ParserOptions } from 'htmlparser2'
import { isHidden } from './html-hidden.ts'
import { maxDepth } from './limits.ts'
import { nestedTooDeep } from './refusals.ts'

/** A longer cell holds text of a page; where the table has one column, much shorter ones do. */
const [maxCell, maxOnlyCell] = [500, 100]
const isCell = (name: string): boolean => name === 'td' || name === 'th'

/** `columns` are those of the row with text; the lengths are those of texts. */
type OpenTable = {
  place: number
  columns: number
  isSeveral: boolean
  cell: number
  longest: number
  length: number
}

/**
 * Finds the tables that only lay out a page, by their place among its tables: those with a long text in a cell,
 * or of one column. Mails are made of them. @throws ServiceError `unreadable_file`
 */
export function layoutTables(html: string, options: ParserOptions): ReadonlySet<number> {
  const found = new Set<number>()
  const open: OpenTable[] = []
  let tables = 0
  const add = (length: number) => {
    const table = open.at(-1)
    if (!table) return
    table.cell += length
    table.length += length
    table.longest = Math.max(table.longest, table.cell)
  }
  let depth = 0
  /** The depth of the element that hides all in it, 0 where none does. */
  let hidden = 0
  const opening = (name: string, attributes: Record<string, string>) => {
    const { role } = attributes
    depth += 1
    if (hidden === 0 && isHidden(name, attributes)) hidden = depth
    if (depth > maxDepth) throw nestedTooDeep()
    const table = open.at(-1)
    if (name === 'table') {
      open.push({ place: tables, columns: 0, isSeveral: false, cell: 0, longest: 0, length: 0 })
      if (role === 'presentation' || role === 'none') found.add(tables)
      tables += 1
    } else if (table && name === 'tr') table.columns = 0
    else if (table && isCell(name)) table.cell = 0
  }
  const closing = (name: string) => {
    if (hidden === depth) hidden = 0
    depth -= 1
    const table = open.at(-1)
    if (!table) return
    if (isCell(name) && table.cell > 0) {
      table.columns += 1
      table.isSeveral ||= table.columns > 1
    }
    if (name !== 'table') return
    if (table.longest > (table.isSeveral ? maxCell : maxOnlyCell)) found.add(table.place)
    open.pop()
    add(table.length)
  }
  new Parser(
    {
      onopentag: opening,
      ontext: (text) => {
        if (hidden === 0) add(text.trim().length)
      },
      onclosetag: closing,
    },
    options,
  ).end(html)
  return found
}
