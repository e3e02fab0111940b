import type { Line } from './pdf-lines.ts'

/** The level of each size of letters that headings have. */
export type HeadingSizes = ReadonlyMap<number, number>

const maxHeading = 200
const minSizeToText = 1.1
const maxLevels = 6

/** Sizes larger than the one that most of the text has, the largest first. */
export function headingSizes(lines: Line[]): HeadingSizes {
  const letters = new Map<number, number>()
  for (const { size, text } of lines) letters.set(size, (letters.get(size) ?? 0) + text.length)
  const [[body] = [0]] = [...letters].toSorted(([, a], [, b]) => b - a)
  const sizes = lines.filter(isShort).map(({ size }) => size)
  const headings = [...new Set(sizes)].filter((size) => size >= minSizeToText * body)
  const ordered = headings.toSorted((a, b) => b - a)
  return new Map(ordered.map((size, index) => [size, Math.min(maxLevels, index + 1)]))
}

export const levelOf = (line: Line, sizes: HeadingSizes): number | undefined =>
  isShort(line) ? sizes.get(line.size) : undefined

const isShort = ({ text }: Line): boolean => text.length <= maxHeading && /\p{L}/v.test(text)
