import { headingLine } from './markdown.ts'
import { type HeadingStyles, levelOf } from './pdf-headings.ts'
import { goesOnIn } from './pages.ts'
import { withoutHyphens } from './pdf-hyphens.ts'
import type { Line } from './pdf-lines.ts'

const minGapOfParagraphs = 1.3
/** In sizes of its letters, between the lines of one heading. */
const maxGapOfHeading = 1.6
const softHyphen = /\u00ad/g

export function pageText(lines: Line[], styles: HeadingStyles): string {
  const usual = usualGap(lines)
  let text = ''
  let before: { line: Line; level: number | undefined } | undefined
  for (const line of lines) {
    const level = levelOf(line, styles)
    const gap = before ? before.line.y - line.y : 0
    const isOne = level && level === before?.level && gap < maxGapOfHeading * line.size
    if (isOne) text += ` ${line.text}`
    else {
      const isParagraph = gap > minGapOfParagraphs * usual || isNextColumn(line, before?.line)
      const isApart = level || before?.level || isParagraph
      text += (isApart ? '\n\n' : '\n') + (level ? headingLine(level, line.text) : line.text)
    }
    before = { line, level }
  }
  return withoutHyphens(text).replace(softHyphen, '')
}

const isNextColumn = (line: Line, before: Line | undefined): boolean =>
  before !== undefined && before.y < line.y && !goesOnIn(line.text, before.text)

function usualGap(lines: Line[]): number {
  const gaps = lines.slice(1).map(({ y }, index) => lines[index]!.y - y)
  const sorted = gaps.filter((gap) => gap > 0).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
