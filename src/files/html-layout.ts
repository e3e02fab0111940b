import { Parser, type ParserOptions } from 'htmlparser2'
import { HiddenParts } from './html-hidden.ts'
import { maxDepth } from './limits.ts'
import { nestedTooDeep } from './refusals.ts'
import type { Attributes } from './xml.ts'

/** A longer cell holds text of a page; where the table has one column, much shorter ones do. */
const [maxCell, maxOnlyCell] = [500, 100]
const isCell = (name: string): boolean => name === 'td' || name === 'th'

/**
 * `columns` are those of the row with text, `wideRows` are rows of several; the lengths are those of texts, `inner` of
 * tables in it that have several rows of several cells.
 */
type OpenTable = {
  place: number
  columns: number
  wideRows: number
  cell: number
  longest: number
  length: number
  inner: number
}

/**
 * The tables that only lay out a page, by their place: of one column, with a long cell, around other tables in a row,
 * or mostly around them.
 * @throws ServiceError
 */
export function layoutTables(html: string, options: ParserOptions): ReadonlySet<number> {
  const finder = new LayoutFinder()
  parse(html, options, finder)
  return finder.found
}

type TagReader = {
  open(name: string, attributes: Attributes): void
  text(text: string): void
  close(name: string): void
}

export function parse(html: string, options: ParserOptions, reader: TagReader): void {
  const handler = {
    onopentag: (name: string, attributes: Attributes) => reader.open(name, attributes),
    ontext: (text: string) => reader.text(text),
    onclosetag: (name: string) => reader.close(name),
  }
  new Parser(handler, options).end(html)
}

class LayoutFinder {
  readonly found = new Set<number>()
  readonly #open: OpenTable[] = []
  #tables = 0
  #depth = 0
  readonly #hidden = new HiddenParts()

  open(name: string, attributes: Attributes): void {
    this.#depth += 1
    this.#hidden.open(name, attributes)
    if (this.#depth > maxDepth) throw nestedTooDeep()
    const table = this.#open.at(-1)
    if (name === 'table') this.#beginTable(attributes['role'])
    else if (table && name === 'tr') table.columns = 0
    else if (table && isCell(name)) table.cell = 0
  }

  text(text: string): void {
    if (!this.#hidden.isTextHidden) this.#add(text.trim().length)
  }

  close(name: string): void {
    this.#hidden.close()
    this.#depth -= 1
    const table = this.#open.at(-1)
    if (!table) return
    if (isCell(name) && table.cell > 0) {
      table.columns += 1
      if (table.columns === 2) table.wideRows += 1
    }
    if (name === 'table') this.#endTable(table)
  }

  #beginTable(role: string | undefined): void {
    const place = this.#tables
    this.#open.push({ place, columns: 0, wideRows: 0, cell: 0, longest: 0, length: 0, inner: 0 })
    if (role === 'presentation' || role === 'none') this.found.add(place)
    this.#tables += 1
  }

  #endTable({ place, wideRows, longest, length, inner }: OpenTable): void {
    const isLong = longest > (wideRows > 0 ? maxCell : maxOnlyCell)
    if (isLong || 2 * inner > (wideRows > 1 ? length : 0)) this.found.add(place)
    this.#open.pop()
    this.#add(length)
    const around = this.#open.at(-1)
    if (!around) return
    if (this.found.has(place)) around.inner += inner
    else if (wideRows > 1) around.inner += length
  }

  #add(length: number): void {
    const table = this.#open.at(-1)
    if (!table) return
    table.cell += length
    table.length += length
    table.longest = Math.max(table.longest, table.cell)
  }
}
