import { headingLine } from './markdown.ts'
import { type HeadingSizes, levelOf } from './pdf-headings.ts'
import { goesOnIn } from './pages.ts'
import type { Line } from './pdf-lines.ts'

const minGapOfParagraphs = 1.3
const hyphenated = /(\p{L})[\-\u2010\u00ad]\n(?=\p{Ll})/gv
const softHyphen = /\u00ad/g

export function pageText(lines: Line[], sizes: HeadingSizes): string {
  const usual = usualGap(lines)
  let text = ''
  let before: { line: Line; level: number | undefined } | undefined
  for (const line of lines) {
    const level = levelOf(line, sizes)
    const gap = before ? before.line.y - line.y : 0
    if (before && level && level === before.level) text += ` ${line.text}`
    else {
      const isParagraph = gap > minGapOfParagraphs * usual || isNextColumn(line, before?.line)
      const isApart = level || before?.level || isParagraph
      text += (isApart ? '\n\n' : '\n') + (level ? headingLine(level, line.text) : line.text)
    }
    before = { line, level }
  }
  return text.replace(hyphenated, '$1').replace(softHyphen, '')
}

const isNextColumn = (line: Line, before: Line | undefined): boolean =>
  before !== undefined && before.y < line.y && !goesOnIn(line.text, before.text)

function usualGap(lines: Line[]): number {
  const gaps = lines.slice(1).map(({ y }, index) => lines[index]!.y - y)
  const sorted = gaps.filter((gap) => gap > 0).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
