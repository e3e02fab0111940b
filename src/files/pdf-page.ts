import { headingLine, rowLines } from './markdown.ts'
import { goesOnIn } from './pages.ts'
import { type HeadingStyles, levelOf, maxHeading } from './pdf-headings.ts'
import { gapsBetween, type PdfLine } from './pdf-lines.ts'
import { median } from './pdf-rows.ts'
import type { PdfTable } from './pdf-tables.ts'

const minGapOfParagraphs = 1.3
/** In sizes of its letters, between the lines of one heading. */
const maxGapOfHeading = 1.6
const maxLinesOfHeading = 4
const softHyphens = /\u00ad/g

export function pageText(lines: PdfLine[], drawn: PdfTable[], styles: HeadingStyles): string {
  const usual = usualGap(lines)
  let text = ''
  let before: Levelled | undefined
  const tables = new Map(drawn.map((table) => [table.first, table]))
  let end = 0
  for (const [index, one] of levelled(lines, styles).entries()) {
    const table = tables.get(index)
    if (table) {
      text += `\n\n${rowLines(table.rows).join('\n')}\n`
      end = table.end
    }
    if (index >= end) text += written(one, before, usual)
    before = index < end ? { line: one.line, level: undefined } : one
  }
  return withoutHyphens(text).replace(softHyphens, '')
}

/** A line with what parts it from the one before. */
function written(one: Levelled, before: Levelled | undefined, usual: number): string {
  const { line, level } = one
  if (level && before && isOneHeading(before, one)) return ` ${line.text}`
  const gap = before ? before.line.y - line.y : 0
  const isParagraph = gap > minGapOfParagraphs * usual || isNextColumn(line, before?.line)
  const isApart = level || before?.level || isParagraph
  return (isApart ? '\n\n' : '\n') + (level ? headingLine(level, line.text) : line.text)
}

type Levelled = { line: PdfLine; level: number | undefined }

/** A paragraph in larger letters is no heading. */
function levelled(lines: PdfLine[], styles: HeadingStyles): Levelled[] {
  const headings: Levelled[][] = []
  for (const line of lines) {
    const one = { line, level: levelOf(line, styles) }
    const last = headings.at(-1)
    if (last && isOneHeading(last.at(-1)!, one)) last.push(one)
    else headings.push([one])
  }
  return headings.flatMap((of) => {
    const length = of.reduce((sum, { line }) => sum + line.text.length, 0)
    const isHeading = of.length <= maxLinesOfHeading && length <= maxHeading
    return isHeading ? of : of.map(({ line }) => ({ line, level: undefined }))
  })
}

const isOneHeading = (before: Levelled, { line, level }: Levelled): boolean =>
  level !== undefined &&
  level === before.level &&
  before.line.y - line.y < maxGapOfHeading * line.size

const isNextColumn = (line: PdfLine, before: PdfLine | undefined): boolean =>
  before !== undefined && before.y < line.y && !goesOnIn(line.text, before.text)

const usualGap = (lines: PdfLine[]): number => median(gapsBetween(lines).filter((gap) => gap > 0))

/** A word that goes on in the next line, with what stands before and behind it up to a blank. */
const parted =
  /(?<start>[\p{L}\p{N}\-\u2010]*\p{L})(?<hyphen>[\-\u2010\u00ad])\n(?<end>\p{Ll}[\p{L}\-\u2010]*)/gv
const softHyphen = '\u00ad'

/** Words that English compounds begin and end with; parted words rarely have both. */
const first = new Set(
  'all bottom built cut decision eye far fast first five four full good hard high home ill large left life light long low mid multi near new off old on one open out own part post pre quick real record right second semi short side single six slow small so state step ten third three time top two up user vice warm water wide wind word work world year'.split(
    ' ',
  ),
)
const last = new Set(
  'aged backed bound by class day depth down end ended faced fed flow free full going grade gear half hand handed house in industry kept laws legged level life like line lived made member model month of off on only out own owned owner paid party person phase point pressure proof quality range rank rate rated ready resolution rise risk run running saving scale service set share side size speed spread square standing step store story style term terminal through tier time to type used value voltage way week weight wheel winded wing year'.split(
    ' ',
  ),
)
const alwaysFirst = new Set(['self', 'well', 'half', 'cross'])
const alwaysLast = new Set(
  'based related driven sized sided looking making oriented minded friendly known term'.split(' '),
)
const ending = /^(?:ing|er|ed|ly|ness|less|ish|ment|able|y|ies|way|ways|back)s?$/
const minStart = 3

/** Joins hyphenated words. The hyphen of a compound stays. */
function withoutHyphens(text: string): string {
  const compounds = new Set(text.toLowerCase().match(/\p{L}+(?:[\-\u2010]\p{L}+)+/gv))
  return text.replace(parted, (_, start: string, hyphen: string, end: string) =>
    hyphen !== softHyphen && isCompound(start.toLowerCase(), end, compounds)
      ? `${start}${hyphen}${end}`
      : start + end,
  )
}

function isCompound(start: string, end: string, compounds: ReadonlySet<string>): boolean {
  if (/[-\u2010]/.test(start + end) || compounds.has(`${start}-${end}`)) return true
  if (alwaysFirst.has(start)) return !ending.test(end)
  if (alwaysLast.has(end)) return start.length >= minStart
  return first.has(start) && last.has(end)
}
