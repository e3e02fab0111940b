import type { Line } from './pdf-lines.ts'

/** How far apart the lines of a column are at least, in sizes of their letters. */
const minGap = 0.6
/** Lines of different columns that are nearer than this are side by side. */
const maxBeside = 3

/** Lines of one column from the top down, in whatever order they are drawn; others as they are drawn. */
export function inReadingOrder(lines: Line[]): Line[] {
  const sorted = lines.toSorted((a, b) => b.y - a.y)
  const isColumn = sorted.every((line, index) => {
    const next = sorted[index + 1]
    return next === undefined || isBelow(next, line)
  })
  return isColumn ? sorted : lines
}

function isBelow(line: Line, above: Line): boolean {
  const gap = (above.y - line.y) / Math.min(above.size, line.size)
  const isInColumn = line.left < above.right && above.left < line.right
  return gap >= (isInColumn ? minGap : maxBeside)
}

/** Lines with those of fields, each after what stands above it or beside it on the left. */
export function withFields(lines: Line[], fields: Line[]): Line[] {
  const all = [...lines]
  for (const field of fields) {
    const next = all.findIndex(({ y }) => y < field.y)
    all.splice(next < 0 ? all.length : next, 0, field)
  }
  return all
}
