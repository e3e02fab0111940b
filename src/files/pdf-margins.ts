import type { HeadingStyles } from './pdf-headings.ts'
import type { PdfLine } from './pdf-lines.ts'

const minPages = 3
const share = 1 / 2

const maxLines = 3
/** A shorter page has no margin of several lines. */
const minLines = 8

/** Drops headers and footers, which are the same on most pages except for numbers. */
export function withoutMargins(pages: PdfLine[][], styles: HeadingStyles): PdfLine[][] {
  let rest = withoutOuterLines(pages, styles)
  for (let line = 1; line < maxLines; line++) {
    const whole = withoutOuterLines(rest, styles)
    rest = rest.map((page, index) => (page.length < minLines ? page : whole[index]!))
  }
  return rest
}

function withoutOuterLines(pages: PdfLine[][], styles: HeadingStyles): PdfLine[][] {
  const heads = repeated(pages.map((page) => page.at(0)))
  const feet = repeated(pages.map((page) => page.at(-1)))
  const isIn = (margins: Set<string>, line: PdfLine | undefined): boolean =>
    line !== undefined &&
    margins.has(patternOf(line)) &&
    !isOfTable(line) &&
    !styles.sizes.has(line.size)
  return pages.map((page) => {
    const from = isIn(heads, page.at(0)) ? 1 : 0
    return page.slice(from, page.length > from && isIn(feet, page.at(-1)) ? -1 : undefined)
  })
}

function repeated(lines: (PdfLine | undefined)[]): Set<string> {
  const counts = new Map<string, number>()
  for (const line of lines) {
    if (line) counts.set(patternOf(line), (counts.get(patternOf(line)) ?? 0) + 1)
  }
  const least = Math.max(minPages, share * lines.length)
  return new Set([...counts].filter(([, count]) => count >= least).map(([pattern]) => pattern))
}

const patternOf = ({ text }: PdfLine): string => text.replace(/\d+/g, '#')

/** Rows of numbers differ only in their numbers, and no margin has so many. */
const isOfTable = ({ text }: PdfLine): boolean =>
  !/\p{L}/v.test(text) && text.split(/\s+/).filter((word) => /\d/.test(word)).length > 2
