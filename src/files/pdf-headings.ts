import { isBoldHeading, isContact } from './markdown.ts'
import { type PdfLine, sizeOf } from './pdf-lines.ts'

/** The heading levels by size of letters, and that of bold lines if they are headings. */
export type HeadingStyles = { sizes: ReadonlyMap<number, number>; bold: number | undefined }

export const maxHeading = 200
const minSizeToText = 1.1
const maxLevels = 6

/** Sizes larger than the one that most of the text has, the largest first, and bold lines below them. */
export function headingStyles(lines: PdfLine[]): HeadingStyles {
  const body = sizeOf(lines)
  const bold = lettersIn(lines.filter(({ isBold }) => isBold))
  const sizes = lines.filter(isHeading).map(({ size }) => size)
  const headings = [...new Set(sizes)].filter((size) => size >= minSizeToText * body)
  const ordered = headings.toSorted((a, b) => b - a)
  const levels = ordered.map((size, index): [number, number] => [size, levelAt(index)])
  return {
    sizes: new Map(levels),
    bold: 2 * bold < lettersIn(lines) ? levelAt(ordered.length) : undefined,
  }
}

const lettersIn = (lines: PdfLine[]): number =>
  lines.reduce((sum, { text }) => sum + text.length, 0)

const levelAt = (index: number): number => Math.min(maxLevels, index + 1)

export function levelOf(line: PdfLine, { sizes, bold }: HeadingStyles): number | undefined {
  const level = isHeading(line) ? sizes.get(line.size) : undefined
  return level ?? (isBoldLine(line) ? bold : undefined)
}

const leader = /(?:\. ?){5}/

/** `3.1`, `Article 5` and `Annex A` are often apart from the heading that they count. */
const numbered = /^(?:[\p{L}§]+\.?\s)?(?:(?:\d+|[A-Z])(?:\.\d+)*|[IVX]+)[.\)]?$/v

/** Excludes rows of tables. */
const isHeading = ({ text, cells }: PdfLine): boolean =>
  cells.length <= (numbered.test(cells[0]?.text ?? '') ? 2 : 1) &&
  text.length <= maxHeading &&
  !isContact(text) &&
  /\p{L}/v.test(text) &&
  !leader.test(text)

const maxBoldHeading = 80

/** Excludes bold sentences and heads of tables. */
const isBoldLine = ({ text, isBold, cells }: PdfLine): boolean =>
  isBold &&
  cells.length === 1 &&
  !leader.test(text) &&
  text.length <= maxBoldHeading &&
  /\p{L}{2}/v.test(text) &&
  isBoldHeading(text)
