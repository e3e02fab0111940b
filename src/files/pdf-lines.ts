/** A line of a page; `size` is of its letters, `y` grows upwards, both in points. */
export type Line = { text: string; size: number; y: number }

type TextItem = { str: string; transform: number[]; hasEOL: boolean }

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

// oxlint-disable-next-line no-control-regex
const control = /[\0-\x08\x0b-\x1f]/g

/** The longest piece tells the size, for a letter may be larger or raised. */
function lineOf(pieces: TextItem[]): Line {
  const text = pieces.map(({ str }) => str).join('')
  const [longest] = pieces.toSorted((a, b) => b.str.length - a.str.length)
  const [, , c = 0, d = 0, , y = 0] = longest?.transform ?? []
  const size = Math.round(2 * Math.hypot(c, d)) / 2
  return { text: text.replace(control, '').trim(), size, y }
}
