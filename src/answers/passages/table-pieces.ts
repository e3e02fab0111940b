import {
  beginsWithHead,
  mayBeginWithHead,
  areRows,
  cellsOf,
  hasGroups,
  isTitleRow,
  recordsIn,
} from '../../text/table-lines.ts'
import { markupCellsOf } from '../../text/markup-tables.ts'
import { isSaid } from './blocks.ts'
import { isCommentOfSetting, isSetting } from './identifiers.ts'
import { type TextPiece, type Cells, maxLength, piece } from './part.ts'
import { lineStart, type Span } from '../../text/span.ts'
import { areSpaced } from '../../text/spaced-lines.ts'

/** The level of a table's title, whose section ends with the table. */
export const levelOfTitle = 7

/** A head without rows below is a row, unless a fragment ends with it. */
export function withHeads(text: string, pieces: TextPiece[], goesOn: boolean): TextPiece[] {
  const shown: TextPiece[] = []
  for (let from = 0, to = 0; from < pieces.length; from = to) {
    to = from + 1
    while (pieces[to]?.kind === 'row' && !pieces[to]!.isFirst) to++
    const some = pieces.slice(from, to)
    const isAlone = some.length === 1 && some[0]!.kind === 'head'
    if (isAlone && !(goesOn && to === pieces.length)) some[0] = { ...some[0]!, kind: 'row' }
    shown.push(...withHead(text, some))
  }
  return shown
}

function withHead(text: string, rows: TextPiece[]): TextPiece[] {
  const [first, ...others] = rows
  if (first!.kind !== 'row' || !first!.isFirst) return rows
  const texts = rows.map((row) => shownOf(text, row))
  if (isRuled(texts)) return [{ ...first!, kind: 'head' }, ...others.slice(1)]
  if (hasGroups(texts))
    return [{ ...first!, end: others[0]!.end, kind: 'head' }, ...others.slice(1)]
  if (beginsWithHead(texts)) return [{ ...first!, kind: 'head' }, ...others]
  return mayBeginWithHead(texts) ? [{ ...first!, mayBeHead: true }, ...others] : rows
}

/** As in reStructuredText. */
const isRuled = (rows: string[]): boolean => rows.length > 2 && !isSaid(rows[1]!)

function shownOf(text: string, { start, end, cells }: TextPiece): string {
  const row = text.slice(start, end)
  return cells === '<' ? markupCellsOf(row).join('\t') : row
}

/** A first row with nothing but a title becomes a heading, and the next row the first. */
export function withTitleRows(text: string, pieces: TextPiece[]): TextPiece[] {
  const shown = [...pieces]
  for (const [index, one] of shown.entries()) {
    const next = shown[index + 1]
    const isAbove = one.kind === 'row' && one.isFirst && next?.kind === 'row' && !next.isFirst
    if (!isAbove || one.cells || !isTitleRow(text.slice(one.start, one.end))) continue
    shown[index] = { ...one, kind: 'heading', level: levelOfTitle }
    shown[index + 1] = { ...next, isFirst: true }
  }
  return shown
}

const maxTitle = 100
/** A sentence, a list, a value with its name, or a number to call. */
const isSaying = /(?<!\d)[.!?。！？](?:\s|$)|[\n,;:：]|^\s*[\-*•]\s|\d{5}/v

/** A short line directly above the head of a table is its title, unless it says something itself. */
export function withTitles(text: string, pieces: TextPiece[]): TextPiece[] {
  return pieces.map((one, index) => {
    const next = pieces[index + 1]
    const line = text.slice(one.start, one.end)
    const isTitle =
      one.kind === 'text' &&
      (next?.kind === 'head' || next?.mayBeHead === true) &&
      line.length <= maxTitle &&
      !isSaying.test(line)
    return isTitle ? { ...one, kind: 'heading', level: levelOfTitle } : one
  })
}

/** Whether a part belongs to the table right below a title. */
export function isUnderTitle(pieces: TextPiece[], index: number): boolean {
  const { kind, isFirst } = pieces[index]!
  const begins = kind === 'head' || (kind === 'row' && isFirst)
  return begins ? pieces[index - 1]?.level === levelOfTitle : kind === 'row'
}

const section = /^\[[^[\]]{1,80}\]$/
const minSettings = 2
/** Records such as those of Debian's packages have longer lines, and are quoted whole. */
const pair = /^[^\s:][^:]{0,60}:\s+\S.{0,200}$/
const minPairs = 8

/** The rows in lines of a text, in which also other lines may stand. `isTable` says that the first may name columns. */
type LineRows = { rows: Span[]; cells?: Cells; isTable: boolean }

/** Undefined where the lines are a paragraph. */
export function rowsIn(
  text: string,
  lines: readonly (Span & { text: string })[],
): LineRows | undefined {
  const said = lines.map((line) => line.text)
  const records = recordsIn(said).map(({ from, to }) => spanOf(lines, from, to))
  const written = records.map(({ start, end }) => text.slice(start, end))
  if (areRows(written) || areMostlyRows(written)) return { rows: records, isTable: true }
  const settings = settingsIn(text, lines)
  if (settings) return { rows: settings, cells: '=', isTable: false }
  const entries = entriesIn(lines)
  if (entries) return { rows: entries, cells: ' ', isTable: false }
  const whole = lines.map(({ start, end }) => text.slice(lineStart(text, start), end))
  if (areSpaced(whole)) {
    const isTable = isRuled(said) || beginsWithHead(said)
    return { rows: [...lines], cells: ' ', isTable }
  }
  const isLong = lines.at(-1)!.end - lines[0]!.start > maxLength && lines.length >= minPairs
  return isLong && said.every((line) => pair.test(line))
    ? { rows: [...lines], cells: ':', isTable: false }
    : undefined
}

/** How the lines of logs begin: `2026-03-07 10:00`, `Mar  7 10:00:49` and, behind an address, `[07/Mar/2026:10:00:49`. */
const stamp =
  /^(?:\S{1,80} ){0,3}\[?(?:\d{4}[-/.]\d\d[-/.]\d\d[T ]\d\d:\d\d|\d\d?\/\p{L}{3}\/\d{4}:\d\d:\d\d|\p{L}{3} [ \d]\d \d\d:\d\d:\d\d)/u
const minEntries = 3

/** The entries of a log; the lines of a trace belong to the entry above. */
function entriesIn(lines: readonly (Span & { text: string })[]): Span[] | undefined {
  if (!stamp.test(lines[0]!.text)) return undefined
  const entries: Span[] = []
  for (const { text, start, end } of lines) {
    const last = entries.at(-1)
    if (last && !stamp.test(text)) last.end = end
    else entries.push({ start, end })
  }
  return entries.length >= minEntries ? entries : undefined
}

const minMostly = 5
const minShareOfRows = 0.8

/** Below a table, or in it, may stand a line about it, or a row that lacks a cell. */
function areMostlyRows(records: readonly string[]): boolean {
  const byCount = [...Map.groupBy(records, (record) => cellsOf(record).length).values()]
  const most = byCount.reduce((some, others) => (others.length > some.length ? others : some), [])
  return most.length >= Math.max(minMostly, minShareOfRows * records.length) && areRows(most)
}

/**
 * Lines of keys with their values, which may go on in lines that are indented further, and of names of sections. A
 * comment is of the key below.
 */
function settingsIn(text: string, lines: readonly (Span & { text: string })[]): Span[] | undefined {
  const indentOf = ({ start }: Span) => start - lineStart(text, start)
  const indent = indentOf(lines[0]!)
  const rows: Span[] = []
  let count = 0
  let isBelowComment = false
  for (const line of lines) {
    const last = rows.at(-1)
    const isSection = section.test(line.text)
    const isComment = isCommentOfSetting(line.text)
    const goesOn = count > 0 && !isComment && indentOf(line) > indent
    if (last && (goesOn || (isBelowComment && !isSection))) last.end = line.end
    else rows.push({ start: line.start, end: line.end })
    isBelowComment = isComment
    if (goesOn || isSection || isComment) continue
    if (!isSetting(line.text)) return undefined
    count += 1
  }
  const least = section.test(lines[0]!.text) ? 1 : minSettings
  return count >= least ? rows : undefined
}

const spanOf = (lines: readonly Span[], from: number, to: number): Span => ({
  start: lines[from]!.start,
  end: lines[to]!.end,
})

export function rowPiece(
  text: string,
  row: Span,
  { cells, isTable }: LineRows,
  isFirst: boolean,
): TextPiece {
  const isSection = cells === '=' && section.test(text.slice(row.start, row.end))
  const made = piece(row, isSection ? 'heading' : 'row', isFirst || !isTable)
  return cells ? { ...made, cells } : made
}
