import { listItem } from '../spaced-lines.ts'

/** `level` is 0 for the highest; the first line of a heading may be a rule above its title. */
export type Heading = { level: number; title: string; lines: number }

const maxTitle = 120

/** Not a rule of a table, such as `====  =====`. */
const marked = /^ {0,3}(?<marks>#{1,6}|={1,6})[ \t]+(?<title>(?![=\s]+$)\S.*)$/
const closingMarks = /[ \t]+[#=]+[ \t]*$/
/** A line of signs below a title in Markdown and reStructuredText, there also above it. */
const rule = /^(?<sign>[=\-~^"'`*+#.:_])\k<sign>{2,}\s*$/
const levelOfRule: Record<string, number> = { '=': 1, '-': 2, '~': 3 }
const lowestRule = 4

/** The heading of a line. Rules need `below`, the two lines after it, and no text right above. */
export function headingOf(line: string, below: string[]): Heading | undefined {
  const { marks = '', title = '' } = marked.exec(line)?.groups ?? {}
  if (marks) return heading(marks.length, title.replace(closingMarks, ''), 1)
  const [second = '', third = ''] = below
  const sign = signOf(second)
  const above = signOf(line)
  if (above && above !== '-' && isTitle(second) && signOf(third) === above) {
    return heading(0, second, 3)
  }
  if (!sign || !isTitle(line)) return undefined
  const level = levelOfRule[sign] ?? lowestRule
  const isLongEnough = level < 3 || second.length >= line.trim().length
  return isLongEnough ? heading(level, line, 2) : undefined
}

const signOf = (line: string): string | undefined => rule.exec(line)?.groups?.['sign']

const isTitle = (line: string): boolean =>
  /^ {0,3}\S/.test(line) && /[\p{L}\p{N}]/v.test(line) && !listItem.test(line)

const heading = (level: number, title: string, lines: number): Heading => ({
  level,
  title: title.trim().slice(0, maxTitle).toWellFormed(),
  lines,
})
