import { inColumns } from './pdf-columns.ts'
import { type Row, rowsOf, textOfRow } from './pdf-rows.ts'
import { lineText } from './pdf-text.ts'
import type { Word } from './pdf-words.ts'

/** A line of a page; `size` is of its letters, `y` grows upwards, both in points. */
export type Line = {
  text: string
  size: number
  y: number
  isBold: boolean
  /** In how many parts it is, as a row of a table is in cells. */
  parts: number
}

/** The lines that words are in, in the order they are read in. */
export const linesOf = (words: Word[]): Line[] =>
  inColumns(rowsOf(words)).flatMap((row) => {
    const line = lineOf(row)
    return line.text === '' ? [] : [line]
  })

function lineOf({ segments, y, size }: Row): Line {
  const words = segments.flatMap((segment) => segment.words)
  return {
    text: lineText(textOfRow(segments, size)),
    size: Math.round(2 * sizeOf(words)) / 2,
    y,
    isBold: words.every(({ isBold }) => isBold),
    parts: segments.length,
  }
}

/** Most of its letters tell the size, for one may be larger or raised. */
function sizeOf(words: Word[]): number {
  const letters = new Map<number, number>()
  for (const { size, text } of words) letters.set(size, (letters.get(size) ?? 0) + text.length)
  const [[size] = [0]] = [...letters].toSorted(([, a], [, b]) => b - a)
  return size
}
