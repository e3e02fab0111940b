import {
  areRows,
  beginsWithHead,
  firstRecordsAt,
  hasGroups,
  isTitleRow,
  isOpenBehind,
  mayBeginWithHead,
  separatorLine,
} from '../table-lines.ts'
import { type MarkupTable, markupTablesIn } from '../markup-tables.ts'
import type { Span } from '../span.ts'

/** A quotation mark that is open for longer opens no cell. */
const maxCell = 16_000

/** Finds the heads of tables that are cut, going through a text once. */
export class TableHeads {
  readonly #text: string
  readonly #breaks: Iterator<RegExpExecArray>
  #nextBreak: RegExpExecArray | undefined
  #paragraph: number | undefined
  #head: Span | undefined
  /** How far the paragraph was searched for quotation marks, and where an open one is. */
  #looked = 0
  #openSince: number | undefined
  readonly #markup: Iterator<MarkupTable>
  #nextMarkup: MarkupTable | undefined

  constructor(text: string) {
    this.#text = text
    this.#markup = markupTablesIn(text)
    this.#nextMarkup = this.#markup.next().value
    this.#breaks = text.matchAll(/\n[ \t\r]*\n\s*/g)
    this.#nextBreak = this.#breaks.next().value
    this.#begin(0)
  }

  /** The head and rule of the table that continues at a line; undefined without one or at it. `start` must rise. */
  at(start: number): Span | undefined {
    while (this.#nextBreak && endOf(this.#nextBreak) <= start) {
      if (!this.#isInCell(this.#nextBreak.index)) this.#begin(endOf(this.#nextBreak))
      this.#nextBreak = this.#breaks.next().value
    }
    const head =
      this.#markupHead(start) ?? (this.#text[start - 1] === '\n' ? this.#headHere() : undefined)
    return head && head.end <= start ? head : undefined
  }

  /** What stands above the second row, or above the first if it names no columns. */
  #markupHead(at: number): Span | undefined {
    while (this.#nextMarkup && this.#nextMarkup.end <= at)
      this.#nextMarkup = this.#markup.next().value
    const table = this.#nextMarkup
    const first = table?.rows[table.hasHead ? 1 : 0]
    if (!table || !first || table.start >= at) return undefined
    const end = first.start
    return { start: table.start, end: this.#text[end - 1] === '\n' ? end - 1 : end }
  }

  #begin(paragraph: number): void {
    this.#paragraph = paragraph
    this.#looked = paragraph
    this.#openSince = undefined
  }

  #headHere(): Span | undefined {
    if (this.#paragraph !== undefined) this.#head = headOf(this.#text, this.#paragraph)
    this.#paragraph = undefined
    return this.#head
  }

  /** Whether a blank line is in quotation marks, in a cell of a table. */
  #isInCell(end: number): boolean {
    for (const line of this.#text.slice(this.#looked, end).split('\n')) {
      if (!isOpenBehind(line, this.#openSince !== undefined)) this.#openSince = undefined
      else this.#openSince ??= this.#looked
      this.#looked += line.length + 1
    }
    this.#looked = end
    const isOpen = this.#openSince !== undefined && end - this.#openSince <= maxCell
    return isOpen && this.#headHere() !== undefined
  }
}

const endOf = ({ 0: found, index }: RegExpExecArray): number => index + found.length

function headOf(text: string, from: number): Span | undefined {
  const next = behindLine(text, from)
  const line = text.slice(from, Math.min(next, from + maxTitle)).trimEnd()
  if (lineOfGrid.test(line)) return headAt(text, next)
  const begin = separatorLine.test(line) ? next : from
  const comment = lastComment(text, begin)
  const found = comment === undefined ? undefined : headAt(text, comment)
  return (
    found ??
    headAt(text, behindTitles(text, comment === undefined ? begin : behindLine(text, comment)))
  )
}

function headAt(text: string, start: number): Span | undefined {
  const records = firstRecordsAt(text, start)
  const [first = '', second = ''] = records
  const isRuled = lineOfGrid.test(second) || (first.includes('|') && rule.test(second))
  if (isRuled || (areRows(records.slice(1)) && hasGroups(records))) {
    return { start, end: start + first.length + 1 + second.length }
  }
  const isTable = areRows(records) && (beginsWithHead(records) || mayBeginWithHead(records))
  return isTable ? { start, end: start + first.length } : undefined
}

/** Where the last of several lines begins that begin with `#`: it may be the head, as `#code	name` is. */
function lastComment(text: string, from: number): number | undefined {
  let last: number | undefined
  for (let at = from; text[at] === '#'; at = behindLine(text, at)) last = at
  return last
}

const maxTitles = 10

function behindTitles(text: string, from: number): number {
  let start = from
  for (let titles = 0; titles < maxTitles; titles++) {
    const next = behindLine(text, start)
    if (!isTitleRow(text.slice(start, Math.min(next, start + maxTitle)).trimEnd())) break
    start = next
  }
  return start
}

const maxTitle = 1_000

function behindLine(text: string, at: number): number {
  const feed = text.indexOf('\n', at)
  return feed < 0 ? text.length : feed + 1
}

const rule = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:[|+][ \t]*:?-*:?[ \t]*)*\r?$/
/** In reStructuredText, also above the first row. */
const lineOfGrid = /^[ \t]*(?:\+(?:[\-=]+\+)+|=+(?: +=+)+)\s*$/v
