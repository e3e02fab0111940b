import { sentencesOf } from '../../text/sentences.ts'
import { lineEnd, lineStart, type Span, trimmedSpan } from '../../text/span.ts'
import { type Block, blocksIn, isSaid } from './blocks.ts'
import { jsonRowsIn } from './json-rows.ts'
import { kindInManual, frontMatterEnd, isNeverQuoted, saysNothing } from './never-quoted.ts'
import { announces, type Part, piece, type TextPiece } from './part.ts'
import {
  isUnderTitle,
  levelOfTitle,
  withHeads,
  withTitleRows,
  withTitles,
  rowPiece,
  rowsIn,
} from './table-pieces.ts'

/** Where a text stands in its document: front matter is at the beginning. */
type TextPlace = { isBeginning: boolean; goesOn: boolean }

export function partsIn(text: string, { isBeginning, goesOn }: TextPlace): Part[] {
  const matter = isBeginning ? frontMatterEnd(text, goesOn) : 0
  // Blanks are as long as what they stand for, so that places stay.
  const body = ' '.repeat(matter) + text.slice(matter)
  const blocks = blocksIn(body).flatMap((block) => piecesOf(body, block))
  const pieces = withTitles(text, withHeads(text, withTitleRows(text, blocks), goesOn))
  if (matter > 0) pieces.unshift(piece({ start: 0, end: matter }, 'skipped'))
  let open: { index: number; level: number }[] = []
  let head = -1
  const textOf = (span?: Span) => (span ? text.slice(span.start, span.end) : '')
  return pieces.map((one, index) => {
    const { start, end, kind, level, isFirst } = one
    if (kind === 'heading') open = open.filter((above) => above.level < level)
    else if (!isUnderTitle(pieces, index)) open = open.filter((above) => above.level < levelOfTitle)
    const headings = open.map((above) => above.index)
    if (kind === 'heading') open = [...open, { index, level }]
    if (kind === 'head') head = index
    else if (kind !== 'row' || isFirst) head = -1
    const headOfRow = head
    if (one.mayBeHead) head = index
    const above = textOf(pieces[headings.at(-1) ?? -1])
    const inManual = kindInManual(kind, textOf(one), above)
    const shown = isLabel(text, one, pieces[index + 1]) ? 'skipped' : (inManual ?? kind)
    return { start, end, kind: shown, headings, head: headOfRow, cells: one.cells }
  })
}

/** It announces something that is missing. */
const isLabel = (
  text: string,
  { start, end, kind }: TextPiece,
  next: TextPiece | undefined,
): boolean =>
  kind === 'text' &&
  announces.test(text.slice(start, end)) &&
  (next === undefined || next.kind === 'heading' || next.kind === 'skipped')

function piecesOf(text: string, block: Block): TextPiece[] {
  const { kind, isFirst, level } = block
  if (kind === 'prose') return jsonIn(text, block) ?? proseIn(text, block)
  const span = trimmedSpan(text, kind === 'code' ? withFences(text, block) : block)
  if (kind === 'row') {
    const row = { ...span, kind: block.isHead ? ('head' as const) : kind, isFirst, level }
    return [block.isMarkup ? { ...row, cells: '<' } : row]
  }
  const named = kind === 'code' || kind === 'comment' ? kind : 'heading'
  return [{ ...span, kind: named, isFirst, level }]
}

const maxOpening = 100

/** Objects of JSON, each by itself because none is the head of another, and what stands around them. */
function jsonIn(text: string, block: Span): TextPiece[] | undefined {
  // Lines of brackets alone are left out above a block.
  const above = text.slice(Math.max(0, block.start - maxOpening), block.start)
  const start = block.start - /[\s[{]*$/.exec(above)![0].length
  const { end } = block
  const rows = jsonRowsIn(text.slice(start, end))
  if (rows.length === 0) return undefined
  const ends = [0, ...rows.map((row) => row.end)]
  return ends.flatMap((from, index) => {
    const row = rows[index]
    const around = { start: start + from, end: row ? start + row.start : end }
    const pieces = isSaid(text.slice(around.start, around.end)) ? proseIn(text, around) : []
    if (row) pieces.push(piece({ start: start + row.start, end: start + row.end }, 'row'))
    return pieces
  })
}

function proseIn(text: string, { start, end }: Span): TextPiece[] {
  const lines = linesIn(text, start, end)
  const pieces: TextPiece[] = []
  for (let from = 0, to = 0; from < lines.length; from = to) {
    const { isSkipped } = lines[from]!
    while (lines[to]?.isSkipped === isSkipped) to++
    const some = lines.slice(from, to)
    if (isSkipped) pieces.push(...some.map((line) => piece(line, 'skipped')))
    else pieces.push(...paragraphIn(text, some))
  }
  return pieces
}

type TextLine = Span & { text: string; isSkipped: boolean }

function paragraphIn(text: string, lines: TextLine[]): TextPiece[] {
  const span = { start: lines[0]!.start, end: lines.at(-1)!.end }
  const found = rowsIn(text, lines)
  if (found) return found.rows.map((row, index) => rowPiece(text, row, found, index === 0))
  const whole = text.slice(span.start, span.end)
  if (saysNothing(whole) || areQuestions(lines)) return [piece(span, 'skipped')]
  const [first, ...others] = lines
  const { level } = headingInTags.exec(first!.text)?.groups ?? {}
  const isDescribed = describing.test(first!.text)
  const isAlone = isInCapitals(first!.text) && others.some((line) => /\p{Ll}/u.test(line.text))
  const isHeading = isDescribed || isAlone
  if (level === undefined && !isHeading) return asked(text, span)
  const heading = piece(first!, 'heading')
  if (level !== undefined) heading.level = Number(level)
  if (isDescribed) heading.level = levelOfDescribed
  if (others.length === 0) return [heading]
  return [heading, ...asked(text, { start: others[0]!.start, end: span.end })]
}

/** What a directive of Sphinx describes: `.. option:: --force`, `.. py:data:: NAME`. */
const describing =
  /^\.\. (?:[a-z]+:)?(?:attribute|class|cmdoption|command|confval|data|decorator|describe|enum|envvar|exception|function|macro|member|method|object|option|property|setting|struct|type|django-admin|template(?:filter|tag))::\s+\S/
const levelOfDescribed = 6

const headingInTags = /^<h(?<level>[1-6])\b[^<>]*>.*<\/h\k<level>>$/i

const item = /^(?:[\-*•]|\d{1,3}[.\)])\s/v
const minQuestions = 3

/** Whether a list is mostly of questions, as that above the answers of an FAQ. */
function areQuestions(lines: TextLine[]): boolean {
  const questions = lines.filter(({ text }) => isQuestion(text)).length
  const isMost = questions >= minQuestions && 2 * questions > lines.length
  return isMost && lines.every(({ text }) => item.test(text))
}

function asked(text: string, { start, end }: Span): TextPiece[] {
  const whole = piece(trimmedSpan(text, { start, end }), 'text')
  if (!questionMark.test(text.slice(start, end))) return [whole]
  const sentences = sentencesOf(text.slice(start, end))
  const isAsking = (span: Span) => isQuestion(text.slice(start + span.start, start + span.end))
  const said = sentences.findIndex((sentence) => !isAsking(sentence))
  if (said === 0) return [whole]
  if (said < 0) return [{ ...whole, kind: 'question' }]
  const asking = sentences[said - 1]!
  const [marks = ''] = closingMarks.exec(text.slice(start + asking.end, end)) ?? []
  const from = start + Math.max(sentences[said]!.start, asking.end + marks.length)
  const next = sentences.find(
    (one, index) => index > said && isAsking(one) && text[start + one.start - 1] === '\n',
  )
  const to = next ? start + next.start : end
  const pieces = [piece(trimmedSpan(text, { start, end: from }), 'question')]
  if (isSaid(text.slice(from, to)))
    pieces.push(piece(trimmedSpan(text, { start: from, end: to }), 'text'))
  return next ? [...pieces, ...asked(text, { start: to, end })] : pieces
}

const closingMarks = /^(?:[*_]|<\/\p{L}+>)+(?=\s|$)/u

function linesIn(text: string, start: number, end: number): TextLine[] {
  const lines: TextLine[] = []
  for (let from = start; from < end;) {
    const feed = text.indexOf('\n', from)
    const to = feed < 0 || feed >= end ? end : feed + 1
    const span = trimmedSpan(text, { start: from, end: to })
    const line = text.slice(span.start, span.end)
    lines.push({ ...span, text: line, isSkipped: isNeverQuoted(line) })
    from = to
  }
  return lines
}

function withFences(text: string, { start, end }: Span): Span {
  const [above, below] = [lineStart(text, start - 1), lineEnd(text, end)]
  return {
    start: start > 0 && codeFence.test(text.slice(above, start)) ? above : start,
    end: codeFence.test(text.slice(end, below)) ? below : end,
  }
}

export const codeFence = /^\s*(?:`{3}|~{3})/

/** As headings of manual pages and licences are; values are no headings. */
const isInCapitals = (text: string): boolean =>
  text === text.toUpperCase() && /^(?=.*\p{Lu}{2})[^\d=]{1,79}[^\d=.:;!]$/u.test(text)

const questionMark = /[?？؟]/u

const isQuestion = (text: string): boolean => /[?？؟]["'”’»)*_`]*$/u.test(text)
