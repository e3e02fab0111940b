import { lineEnd, lineStart, type Span } from '../../text/span.ts'
import { type SourceLine, LineReader } from '../../text/splitting/lines.ts'
import { isNextOption } from './command-options.ts'
import { isSetting, isTerm } from './identifiers.ts'
import { type MarkupTable, markupTablesIn } from './markup-tables.ts'

export type Block = Span & {
  kind: SourceLine['kind'] | 'comment'
  /** Whether it is the first row of a table that has a rule below it. */
  isHead: boolean
  isFirst: boolean
  level: number
  /** Whether its cells are parted by tags, or by bars in several lines. */
  isMarkup?: boolean
}

/** Paragraphs, options of a command, code, comments, and each other line by itself; blank lines, fences and rules are left out. */
export function blocksIn(text: string): Block[] {
  const reader = new BlockReader(text)
  for (const line of linesIn(text)) reader.take(line)
  return reader.blocks.filter(
    ({ kind, start, end }) => kind !== 'code' || isSaid(text.slice(start, end)),
  )
}

class BlockReader {
  readonly blocks: Block[] = []
  readonly #text: string
  #last: Block['kind'] | undefined
  #hasRow = false
  #isInBars = false
  #commentEnd = 0
  #level = 0
  readonly #tables: MarkupTable[]

  constructor(text: string) {
    this.#text = text
    this.#tables = markupTablesIn(text)
  }

  take(line: SourceLine): void {
    const kind = this.#kindOf(line)
    if (this.#isInTable(kind, line)) return
    const block = this.blocks.at(-1)
    // A blank line ends no code, and in AsciiDoc no table, but its head.
    if (kind === 'blank' && (this.#last === 'code' || this.#isInBars)) return this.#endHead(block)
    this.#hasRow &&= kind === this.#last
    if (this.#goesOn(kind, line, block)) block!.end = line.end
    else if (this.#isBlock(kind, line)) this.#begin(kind, line)
    else if (kind === 'row') this.#endHead(block)
    this.#last = kind
  }

  #kindOf(line: SourceLine): Block['kind'] {
    const { start, end } = line
    this.#level = line.heading?.level ?? this.#level
    this.#commentEnd = Math.max(this.#commentEnd, commentEndOf(this.#text, line))
    const kind = start < this.#commentEnd ? 'comment' : line.kind
    const isBar = kind === 'row' && barsOfTable.test(this.#text.slice(start, end))
    if (isBar) this.#isInBars = !this.#isInBars
    this.#isInBars &&= kind === 'row' || kind === 'blank'
    return kind
  }

  /** The first line of a table begins all of its rows. */
  #isInTable(kind: Block['kind'], { start }: SourceLine): boolean {
    while (this.#tables[0] && this.#tables[0].end <= start) this.#tables.shift()
    const [table] = this.#tables
    if (!table || table.start > start || keptWhole.has(kind)) return false
    const ofAll = { kind: 'row' as const, level: this.#level, isMarkup: true }
    for (const [index, { start: from, end }] of table.rows.entries()) {
      const isFirst = index === 0
      this.blocks.push({ ...ofAll, start: from, end, isFirst, isHead: isFirst && table.hasHead })
    }
    table.rows = []
    this.#hasRow = false
    this.#last = 'blank'
    return true
  }

  #goesOn(kind: Block['kind'], { start }: SourceLine, block: Block | undefined): boolean {
    if (kind !== this.#last || kind !== block?.kind || !manyLines.has(kind)) return false
    if (kind !== 'prose') return true
    return !isNextOption(this.#text, block.start, start) && !isTerm(this.#text, start)
  }

  #isBlock(kind: Block['kind'], { start, end }: SourceLine): boolean {
    return keptWhole.has(kind) || (kind !== 'fence' && isSaid(this.#text.slice(start, end)))
  }

  /** The line above the first row of a grid is a row, too. */
  #begin(kind: Block['kind'], { start, end }: SourceLine): void {
    const isFirst = kind !== 'row' || !this.#hasRow
    this.blocks.push({ kind, start, end, isHead: false, isFirst, level: this.#level })
    this.#hasRow = kind === 'row'
  }

  #endHead(block: Block | undefined): void {
    if (this.#hasRow && block?.isFirst) block.isHead = true
  }
}

/** A line with tabs is a row where one beside it has as many, or both begin with a word and tabs behind it. */
function linesIn(text: string): SourceLine[] {
  const lines: SourceLine[] = []
  const reader = new LineReader(text)
  for (let line = reader.next(); line; line = reader.next()) lines.push(line)
  partComments(text, lines)
  // `parts.ts` decides about records once it has the whole paragraph.
  for (const line of lines) if (line.kind === 'record') line.kind = 'prose'
  const tabbed = lines.map((line) => tabbedRow(text, line))
  for (const [index, line] of lines.entries()) {
    const own = tabbed[index]
    const isRow = own && (isLike(own, tabbed[index - 1]) || isLike(own, tabbed[index + 1]))
    if (!isRow && hasTabs(text, line)) line.kind = 'prose'
  }
  return lines
}

const isRow = (line: SourceLine | undefined): boolean =>
  line?.kind === 'row' || line?.kind === 'record'

/** In scripts and settings lines with `#` are comments, several in a row or above a setting, unless a table follows. */
function partComments(text: string, lines: SourceLine[]): void {
  const isComment = ({ start, end }: SourceLine) => /^#\s/.test(text.slice(start, end))
  for (let from = 0, to = 0; from < lines.length; from = to + 1) {
    to = from
    while (to < lines.length && isComment(lines[to]!)) to++
    const below = lines[to]
    if (isRow(below)) continue
    if (to - from < 2 && !(below && isSetting(text.slice(below.start, below.end)))) continue
    for (const line of lines.slice(from, to)) {
      line.kind = isSaid(text.slice(line.start, line.end)) ? 'prose' : 'blank'
      delete line.heading
    }
  }
}

/** Tabs between two cells are one, or as many as align them with those above. */
type TabbedRow = { tabs: number; cells: number; beginsWithWord: boolean }

const isLike = (one: TabbedRow, other: TabbedRow | undefined): boolean =>
  other !== undefined &&
  (one.tabs === other.tabs ||
    one.cells === other.cells ||
    (one.beginsWithWord && other.beginsWithWord))

const grid = /^[ \t]*(?:\||\+[-=])/

const hasTabs = (text: string, { kind, start, end }: SourceLine): boolean =>
  kind === 'row' && !grid.test(text.slice(start, end))

const wordAndTab = /^[^\s#]\S*\t/

function tabbedRow(text: string, line: SourceLine): TabbedRow | undefined {
  if (!hasTabs(text, line)) return undefined
  const row = text.slice(line.start, line.end).replace(/\r?\n$/, '')
  const cells = row.trim().split(/\t+/).length
  return { tabs: row.split('\t').length - 1, cells, beginsWithWord: wordAndTab.test(row) }
}

const barsOfTable = /^\|={3,}\s*$/
const keptWhole = new Set<Block['kind']>(['code', 'comment'])
const manyLines = new Set<Block['kind']>(['prose', 'code', 'comment'])

/** 0 where a line opens no comment, or the text does not close it. A last line that goes on behind it is none. */
function commentEndOf(text: string, { kind, start, end }: SourceLine): number {
  if (kind !== 'prose') return 0
  const { tag, comment } = opening.exec(text.slice(start, end))?.groups ?? {}
  if (!tag && !comment) return 0
  const close = tag ? `</${tag}>` : '-->'
  const at = text.indexOf(close, start)
  if (at < 0) return 0
  const behind = at + close.length
  return isSaid(text.slice(behind, lineEnd(text, behind))) ? lineStart(text, at) : behind
}

const opening = /^\s*(?:(?<comment><!--)|<(?<tag>script|style)\b)/

export const isSaid = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)
