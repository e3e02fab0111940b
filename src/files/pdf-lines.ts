import { leftOf, lineText, type TextItem } from './pdf-text.ts'

/** A line of a page; `size` is of its letters, `y` grows upwards, both in points, as `left` and `right`. */
export type Line = { text: string; size: number; y: number; left: number; right: number }

export function linesOf(items: readonly (TextItem | { type: string })[]): Line[] {
  const lines: Line[] = []
  let pieces: TextItem[] = []
  const end = () => {
    const line = lineOf(pieces)
    if (line.text !== '') lines.push(line)
    pieces = []
  }
  for (const item of items) {
    if (!('str' in item)) continue
    pieces.push(item)
    if (item.hasEOL) end()
  }
  end()
  return lines
}

/** The longest piece tells the size, for a letter may be larger or raised. */
function lineOf(pieces: TextItem[]): Line {
  const [longest] = pieces.toSorted((a, b) => b.str.length - a.str.length)
  const [, , c = 0, d = 0, , y = 0] = longest?.transform ?? []
  const written = pieces.filter(({ str }) => str.trim() !== '')
  return {
    text: lineText(pieces),
    size: Math.round(2 * Math.hypot(c, d)) / 2,
    y,
    left: Math.min(...written.map(leftOf)),
    right: Math.max(...written.map((piece) => leftOf(piece) + piece.width)),
  }
}
