import { lineEnd, lineStart, type Span } from '../../text/span.ts'
import { LineReader, type MarkupRow, type SourceLine } from '../../text/splitting/lines.ts'
import { isNextOption } from './command-options.ts'
import { isSetting, isTerm } from './identifiers.ts'

export type Block = Span & {
  kind: SourceLine['kind'] | 'comment'
  /** Whether it is the first row of a table that has a rule below it. */
  isHead: boolean
  isFirst: boolean
  level: number
  /** Whether it is a row of a table in markup, such as HTML and AsciiDoc. */
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
  #commentEnd = 0
  #level = 0

  constructor(text: string) {
    this.#text = text
  }

  take(line: SourceLine): void {
    const kind = this.#kindOf(line)
    const block = this.blocks.at(-1)
    if (kind === 'blank' && this.#last === 'code') return
    this.#hasRow &&= kind === this.#last
    if (kind === 'row' && line.row) this.#takeRow(line.row)
    else if (this.#goesOn(kind, line, block)) block!.end = line.end
    else if (this.#isBlock(kind, line)) this.#begin(kind, line)
    else if (kind === 'row' && this.#hasRow && block?.isFirst) block.isHead = true
    this.#last = kind
  }

  #kindOf(line: SourceLine): Block['kind'] {
    this.#level = line.heading?.level ?? this.#level
    this.#commentEnd = Math.max(this.#commentEnd, commentEndOf(this.#text, line))
    if (line.start < this.#commentEnd) return 'comment'
    // A rule above a table is no part of the paragraph before.
    const isRule = line.kind === 'prose' && !isSaid(this.#text.slice(line.start, line.end))
    return isRule && this.#last !== 'prose' ? 'blank' : line.kind
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

  #takeRow(row: MarkupRow): void {
    this.blocks.push({ ...row, kind: 'row', level: this.#level, isMarkup: true })
    this.#hasRow = false
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

const hasTabs = (text: string, { kind, row, start, end }: SourceLine): boolean =>
  kind === 'row' && !row && !grid.test(text.slice(start, end))

const wordAndTab = /^[^\s#]\S*\t/

function tabbedRow(text: string, line: SourceLine): TabbedRow | undefined {
  if (!hasTabs(text, line)) return undefined
  const row = text.slice(line.start, line.end).replace(/\r?\n$/, '')
  const cells = row.trim().split(/\t+/).length
  return { tabs: row.split('\t').length - 1, cells, beginsWithWord: wordAndTab.test(row) }
}

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
