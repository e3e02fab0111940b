export const listItem = /^\s*(?:[\-*+•]|\d+[.\)])\s/v

const minLines = 3
const minGutters = 3
const maxWidth = 400
/** The share of lines with text on both sides of a gutter; a long cell may hide one, and a line may name a total. */
const minShare = 0.75
const minFields = 4

/** Whether lines are rows whose cells are aligned by blanks, or are equally many, as in `/etc/fstab`. Tabs part others. */
export function areSpaced(all: readonly string[]): boolean {
  const lines = all.filter((line) => !line.startsWith('#')).map((line) => line.slice(0, maxWidth))
  if (lines.length < minLines || lines.some((line) => line.includes('\t') || listItem.test(line)))
    return false
  const gutters = guttersOf(lines).filter(({ at, end }) => {
    const apart = lines.filter(
      (line) => line.slice(0, at).trim() !== '' && line.slice(end).trim() !== '',
    )
    return apart.length >= minShare * lines.length
  })
  return (
    gutters.some(({ end }) => isWide(lines, end)) ||
    (lines.length > minLines && gutters.length >= minGutters) ||
    haveEqualFields(lines)
  )
}

const isWide = (lines: readonly string[], end: number): boolean =>
  lines.filter((line) => line.slice(end - 2, end).trim() === '').length >= minShare * lines.length

/** The columns where all lines have blanks; `end` is exclusive. */
function guttersOf(lines: readonly string[]): { at: number; end: number }[] {
  const width = Math.max(...lines.map((line) => line.length))
  const isText = new Uint8Array(width)
  for (const line of lines) {
    for (let at = 0; at < line.length; at++) if (line[at] !== ' ') isText[at] = 1
  }
  const gutters: { at: number; end: number }[] = []
  for (let at = 0; at < width; at++) {
    if (isText[at] === 1) continue
    const last = gutters.at(-1)
    if (last?.end === at) last.end = at + 1
    else gutters.push({ at, end: at + 1 })
  }
  return gutters
}

/** Whether all lines have equally many fields, and in some column no field is a word. */
function haveEqualFields(lines: readonly string[]): boolean {
  const rows = lines.map(fieldsOf)
  const [{ length } = []] = rows
  return (
    length >= minFields &&
    rows.every((row) => row.length === length) &&
    rows[0]!.some((_, column) => rows.every((row) => isNoWord(row[column]!)))
  )
}

const fieldsOf = (line: string): string[] => line.trim().split(/ +/)

const isNoWord = (field: string): boolean => /[\p{N}\/=]/v.test(field)

/** Cells are parted by two blanks, or by one if some of them is no word, as a path or a number. */
export const spacedCellsOf = (row: string): string[] =>
  row
    .trim()
    .split(/\s{2,}/)
    .flatMap((cell) => (fieldsOf(cell).some(isNoWord) ? fieldsOf(cell) : [cell]))
