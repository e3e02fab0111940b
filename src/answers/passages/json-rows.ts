import type { Span } from '../../text/span.ts'

/** A longer object is no row; the lists in it are read instead. */
const maxRow = 700

/** An open object or list, with the objects directly in it and the rows of its other values. */
type Open = { start: number; isRow: boolean; objects: JsonObject[]; rows: Span[] }
type JsonObject = Span & { rows: Span[] }

/** The objects of lists, and of JSON Lines, in a text that may begin or end inside one. Empty for other texts. */
export function jsonRowsIn(text: string): Span[] {
  const between = betweenObjects.exec(text)
  if (!between) return []
  // A text that begins inside an object may begin inside a string.
  const from = opening.test(text) ? 0 : between.index
  const open: Open[] = [opened(0, false)]
  let before = ''
  for (const { 0: sign, index: at } of text.slice(from).matchAll(signs)) {
    const index = from + at
    if (sign === '{' || sign === '[') {
      const isRow = rowsFollow.has(before) && /^\{\s*"/.test(text.slice(index, index + maxIndent))
      open.push(opened(index, isRow))
    } else if (sign === '}' || sign === ']') close(open, index + 1)
    before = sign === ',' && before === '}' ? '},' : sign
  }
  while (open.length > 1) close(open, text.length, false)
  return rowsOf(open[0]!).toSorted((a, b) => a.start - b.start)
}

export const jsonValuesIn = (row: string): string[] =>
  Array.from(row.matchAll(member), ({ groups }) => groups!)
    .filter(({ isName }) => isName === undefined)
    .map(({ text, bare }) => text ?? bare!)

const member = /"(?<text>(?:[^"\\]|\\.)*)"(?<isName>\s*:)?|(?<bare>[\w.+-]+)/g

/** The most blanks before the first member. */
const maxIndent = 100
const opening = /^\s*(?:[[{]|"[^"\n]*"\s*:)/
const betweenObjects = /\}[\s,]*\{/
const signs = /\\.|"(?:[^"\\\n]|\\.)*"|[{}[\],:]/g
const rowsFollow = new Set(['', '[', '}', '},'])

const opened = (start: number, isRow: boolean): Open => ({ start, isRow, objects: [], rows: [] })

function close(open: Open[], end: number, isWhole = true): void {
  // A text that begins inside a list closes what it did not open.
  if (open.length === 1) return
  const closed = open.pop()!
  const around = open.at(-1)!
  const rows = rowsOf(closed)
  if (closed.isRow && isWhole) around.objects.push({ start: closed.start, end, rows })
  else around.rows.push(...rows)
}

const rowsOf = ({ objects, rows }: Open): Span[] => [
  ...rows,
  ...objects.flatMap((one) =>
    objects.length > 1 && one.end - one.start <= maxRow ? [one] : one.rows,
  ),
]
