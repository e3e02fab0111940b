import { behindBlanks, skipBlanks } from '../blanks.ts'
import {
  areRows,
  firstRecordsAt,
  isOpenBehind,
  separatorLine,
  withoutQuotes,
} from '../table-lines.ts'
import { areSpaced, listItem } from '../spaced-lines.ts'
import { type MarkupTable, markupTablesIn } from '../markup-tables.ts'
import type { Span } from '../span.ts'
import { type Heading, headingOf } from './headings.ts'

/** A row of a table in tags or bars; what stands around it in its lines is not in it. */
export type MarkupRow = Span & { isFirst: boolean; isHead: boolean }

/** `end` is behind the line feed. A run of blank lines is one, and so is a record of CSV or a row with its line breaks. */
export type SourceLine = {
  start: number
  end: number
  kind: 'blank' | 'heading' | 'fence' | 'code' | 'row' | 'record' | 'prose'
  heading?: Heading
  row?: MarkupRow
}

/** A line is recognized by its beginning, because it may be a megabyte. */
const maxBeginning = 200

const openingFence = /^[ \t]*(?<fence>`{3,}(?=[^`]*$)|~{3,})/
/** A row of Markdown, of reStructuredText, or of cells with tabs between. */
const tableRow = /^[ \t]*(?:\||\+[\-=]+\+)|\S\t+\S/v
/** What `col` writes in a paragraph, where a tab is as wide as the blanks. */
const oneTabInProse = /^\t* +[^\s\|+][^\t]*\t+[^\t]*$/v
const delimiterRow = /^[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+$/

const separator = /[,;|:]/
const hasBlank = (row: string): boolean => /[,;|] /.test(withoutQuotes(row))

/** Not indented, as options of manual pages are. */
const twoBlanks = /^\S.*? {2,}\S/

const maxLinesOfRecord = 100

/** Behind the line that closes its last quotation mark, or behind its own if none does soon. */
function recordEnd(text: string, start: number): number {
  let [end, isOpen] = [start, false]
  for (let lines = 0; lines < maxLinesOfRecord && end < text.length; lines++) {
    const next = behindLine(text, end)
    isOpen = isOpenBehind(text.slice(end, next), isOpen)
    end = next
    if (!isOpen) return end
  }
  return behindLine(text, start)
}

function behindLine(text: string, start: number): number {
  const feed = text.indexOf('\n', start)
  return feed < 0 ? text.length : feed + 1
}

/** The lines of each row, with those up to the next one; the first has those above it. */
const linesOf = ({ start, end, rows, hasHead }: MarkupTable): SourceLine[] =>
  rows.map((row, index) => ({
    start: index === 0 ? start : row.start,
    end: rows[index + 1]?.start ?? end,
    kind: 'row',
    row: { ...row, isFirst: index === 0, isHead: index === 0 && hasHead },
  }))

/** Reads the lines of a text once, no further than needed. */
export class LineReader {
  readonly #text: string
  #position = 0
  #openFence: string | undefined
  #isInTable = false
  #headingLinesLeft = 0
  #last: SourceLine | undefined
  readonly #tables: Iterator<MarkupTable>
  #table: MarkupTable | undefined
  /** Those of the table that is being read, the last one first. */
  #rows: SourceLine[] = []

  constructor(text: string) {
    this.#text = text
    this.#tables = markupTablesIn(text)
    this.#table = this.#tables.next().value
  }

  next(): SourceLine | undefined {
    const start = this.#position
    if (start >= this.#text.length) return undefined
    const line = this.#markupRow(start) ?? this.#blankLines(start) ?? this.#visibleLine(start)
    this.#position = line.end
    this.#last = line
    return line
  }

  get position(): number {
    return this.#position
  }

  #markupRow(start: number): SourceLine | undefined {
    while (this.#table && this.#table.start < start) this.#table = this.#tables.next().value
    if (this.#table?.start === start && this.#openFence === undefined)
      this.#rows = linesOf(this.#table).toReversed()
    return this.#rows.pop()
  }

  #blankLines(start: number): SourceLine | undefined {
    const visible = skipBlanks(this.#text, start)
    const end = visible === this.#text.length ? visible : behindBlanks(this.#text, start)
    const isBlank = end === this.#text.length || this.#text[end - 1] === '\n'
    return end > start && isBlank ? { start, end, kind: 'blank' } : undefined
  }

  #visibleLine(start: number): SourceLine {
    const end = behindLine(this.#text, start)
    const beginning = this.#beginningAt(start)
    const kind = this.#kindOf(beginning, end)
    if (kind) return { start, end, kind }
    const isFirst = this.#last === undefined || this.#last.kind === 'blank'
    // A row may begin like a heading, as `# of cpus,8` does.
    const goesOn =
      this.#last?.kind === 'record' && separator.test(beginning) && !hasBlank(beginning)
    const heading = goesOn
      ? undefined
      : headingOf(beginning, isFirst ? this.#beginningsAt(end) : [])
    if (!heading && this.#isRecord(beginning, start))
      return { start, end: recordEnd(this.#text, start), kind: 'record' }
    if (!heading) return { start, end, kind: 'prose' }
    this.#headingLinesLeft = heading.lines - 1
    return { start, end, kind: 'heading', heading }
  }

  #kindOf(beginning: string, next: number): SourceLine['kind'] | undefined {
    if (this.#headingLinesLeft > 0) {
      this.#headingLinesLeft -= 1
      return 'heading'
    }
    const { fence } = openingFence.exec(beginning)?.groups ?? {}
    if (this.#openFence !== undefined) {
      const closes = fence?.startsWith(this.#openFence) && beginning.trim() === fence
      if (closes) this.#openFence = undefined
      return closes ? 'fence' : 'code'
    }
    this.#openFence = fence
    if (fence) return 'fence'
    this.#isInTable &&= this.#last?.kind === 'row' && beginning.includes('|')
    this.#isInTable ||= beginning.includes('|') && delimiterRow.test(this.#beginningAt(next))
    const isRow = this.#isInTable || (tableRow.test(beginning) && !oneTabInProse.test(beginning))
    return isRow ? 'row' : undefined
  }

  #isRecord(beginning: string, start: number): boolean {
    const { kind } = this.#last ?? {}
    if (kind === 'record' || kind === 'prose') return kind === 'record'
    if (separatorLine.test(beginning) || this.#isSpaced(start)) return true
    if (
      !separator.test(beginning) ||
      (beginning.length < maxBeginning && hasBlank(beginning)) ||
      listItem.test(beginning)
    )
      return false
    const records = firstRecordsAt(this.#text, start)
    return !records.some(hasBlank) && areRows(records)
  }

  #isSpaced(start: number): boolean {
    return twoBlanks.test(this.#beginningAt(start)) && areSpaced(firstRecordsAt(this.#text, start))
  }

  #beginningAt(start: number): string {
    const beginning = this.#text.slice(start, start + maxBeginning)
    const feed = beginning.indexOf('\n')
    return (feed < 0 ? beginning : beginning.slice(0, feed)).trimEnd()
  }

  #beginningsAt(start: number): string[] {
    return this.#text
      .slice(start, start + 2 * maxBeginning)
      .split('\n', 2)
      .map((beginning) => beginning.slice(0, maxBeginning).trimEnd())
  }
}
