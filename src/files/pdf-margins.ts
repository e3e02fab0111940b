import { isPageNumber } from './pages.ts'
import type { HeadingStyles } from './pdf-headings.ts'
import type { PdfLine } from './pdf-lines.ts'

const minPages = 3
const share = 1 / 2

const maxLines = 3
/** A shorter page has no margin of several lines. */
const minLines = 8

/** A page number is beside a title of some words. Beside fewer words it may be the number of an invoice. */
const [minWords, maxFirstPage, minWordsBeyond] = [2, 50, 3]

/** Drops headers and footers, which are the same on most pages except for the number of the page. */
export function withoutMargins(pages: PdfLine[][], styles: HeadingStyles): PdfLine[][] {
  let rest = withoutOuterLines(pages, styles)
  for (let line = 1; line < maxLines; line++) {
    const whole = withoutOuterLines(rest, styles)
    rest = rest.map((page, index) => (page.length < minLines ? page : whole[index]!))
  }
  return rest
}

function withoutOuterLines(pages: PdfLine[][], styles: HeadingStyles): PdfLine[][] {
  const isHead = marginsAmong(pages.map((page) => page.at(0)))
  const isFoot = marginsAmong(pages.map((page) => page.at(-1)))
  const isText = (line: PdfLine | undefined) =>
    line === undefined || isOfTable(line) || styles.sizes.has(line.size)
  return pages.map((page, index) => {
    const from = isHead[index] && !isText(page.at(0)) ? 1 : 0
    const isLast = page.length > from && isFoot[index] && !isText(page.at(-1))
    return page.slice(from, isLast ? -1 : undefined)
  })
}

function marginsAmong(lines: (PdfLine | undefined)[]): boolean[] {
  const patterns = lines.map((line, index) => line && patternsOf(line.text, index))
  const counts = new Map<string, number>()
  for (const pattern of patterns.flatMap((some) => some ?? [])) {
    counts.set(pattern, (counts.get(pattern) ?? 0) + 1)
  }
  const least = Math.max(minPages, share * lines.length)
  return patterns.map((some) => some?.some((one) => counts.get(one)! >= least) === true)
}

/** The line, and the line with each possible page number replaced by its difference from the page. */
function patternsOf(text: string, page: number): string[] {
  const numbers = [...text.matchAll(/(?<![\p{L}\d.,:\/\-])(?:0|[1-9]\d*)(?![\p{L}\d]|[.,:\-]\d)/gv)]
  const counting = numbers.flatMap(({ 0: digits, index }) => {
    const first = Number(digits) - page
    const rest = [text.slice(0, index), text.slice(index + digits.length)]
    return rest.some(isPageNumber) && mayCount(rest.join(' '), first)
      ? `${rest[0]}#${first}#${rest[1]}`
      : []
  })
  return [text, ...counting]
}

/** @param first the number that the first page would have */
function mayCount(rest: string, first: number): boolean {
  if (isPageNumber(rest)) return true
  const words = rest.match(/\p{L}+/gv)?.length ?? 0
  return words >= (Math.abs(first) <= maxFirstPage ? minWords : minWordsBeyond)
}

/** Rows of numbers differ only in their numbers, and no margin has so many. */
const isOfTable = ({ text }: PdfLine): boolean =>
  !/\p{L}/v.test(text) && text.split(/\s+/).filter((word) => /\d/.test(word)).length > 2
