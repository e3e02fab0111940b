import { lineEnd } from './span.ts'

const minFields = 3
const minLines = 2
/** Few lines of prose may have equal numbers of commas by chance. */
const minLinesToBeSure = 3

/** Whether lines are rows of a table whose fields commas, semicolons, tabs or bars part. */
export function areRows(lines: readonly string[]): boolean {
  if (lines.length < minLines) return false
  if (areColonRows(lines)) return true
  const unquoted = lines.map(withoutQuotes)
  const isShort = lines.length < minLinesToBeSure
  const isSpaced = unquoted.some((line) => /[,;|]\s/.test(line))
  return [',', ';', '\t', '|'].some((separator) => {
    const fields = unquoted.map((line) => line.split(separator))
    const [count = 0, ...others] = fields.map(({ length }) => length)
    // Cells between tabs may hold sentences. In prose, tabs stand for some of the blanks.
    const hasBlanks = separator === '\t' ? fields.some(({ length }) => length < 2) : isSpaced
    if (hasBlanks && isShort) return false
    if (count === 2 && !hasBlanks && !isShort) return arePairs(fields)
    const mayEndEarly = !hasBlanks && !digit.test(lines[0]!) && others.length > 1
    // Below names a row may end early, because its last fields are empty.
    const isBelowNames = mayEndEarly && (others.includes(count) || beginsWithHead(lines))
    const min = isBelowNames ? minFields : count
    return count >= minFields && others.every((other) => other >= min && other <= count)
  })
}

/** As in `/etc/passwd`; no times, and no addresses. */
const colonRow = /^(?=[^:]{0,80}\p{L})[^\s:,;|]{1,80}:(?!\/\/)[^\s:]*:/u

const areColonRows = (lines: readonly string[]): boolean =>
  lines.length >= minLinesToBeSure &&
  lines.every((line) => colonRow.test(line)) &&
  new Set(lines.map((line) => line.split(':').length)).size === 1

/** Some second fields may be empty. A comma inside a number, as in 3,5 kg, parts nothing. */
function arePairs(rows: readonly string[][]): boolean {
  const filled = rows.filter(([, second = '']) => second.trim() !== '')
  return (
    2 * filled.length > rows.length &&
    rows.every(([first = '', second = '', ...others]) => {
      const isNumber = /\d$/.test(first) && /^\d/.test(second) && /\p{L}/u.test(first + second)
      return first.trim() !== '' && others.length === 0 && !isNumber
    })
  )
}

// Only the last of several tabs begins a cell, so that each tab is looked at once.
const quoted = /(^|[,;|]\s*|\t[^\S\t]*)"(?:[^"]|"")*"/g
export const withoutQuotes = (row: string): string => row.replaceAll(quoted, '$1_')

const openingMark = /(?:^\s*|[,;|]\s*|\t[^\S\t]*)"/

/** Whether a quotation mark is open behind a line. One opens at the beginning of a cell, unlike that of inches. */
export const isOpenBehind = (line: string, wasOpen: boolean): boolean =>
  line.split('"').length % 2 === 0 ? !wasOpen && openingMark.test(line) : wasOpen

/** Excel writes it above a CSV. */
export const separatorLine = /^sep=[^\w\s]$/i

const maxSampleRecords = 12
/** A table is recognized by its beginning, because it may be a megabyte. */
const maxSample = 16_000

/** The first records of the paragraph at a place, whole. A blank line in quotation marks does not end it. */
export function firstRecordsAt(text: string, start: number): string[] {
  const records: string[] = []
  const last = Math.min(text.length, start + maxSample)
  let [from, at, isOpen] = [start, start, false]
  while (at < last && records.length < maxSampleRecords) {
    const end = lineEnd(text, at)
    if (end > last) break
    isOpen = isOpenBehind(text.slice(at, end), isOpen)
    at = end + 1
    if (isOpen) continue
    const record = text.slice(from, end)
    if (record.trim() === '') break
    records.push(record)
    from = at
  }
  return records
}

/** Joins lines while a quotation mark is open, as in cells with line breaks. Joins none if one never closes. */
export function recordsIn(lines: readonly string[]): { from: number; to: number }[] {
  const records: { from: number; to: number }[] = []
  let from = 0
  let isOpen = false
  for (const [index, line] of lines.entries()) {
    isOpen = isOpenBehind(line, isOpen)
    if (isOpen) continue
    records.push({ from, to: index })
    from = index + 1
  }
  return isOpen ? lines.map((_, index) => ({ from: index, to: index })) : records
}

/** Whether a text begins like rows do. A single line may be one, and rows below a head may end early. */
export function mayBeginWithRows(text: string): boolean {
  const lines = text.split('\n', minLinesToBeSure).filter((line) => line.trim() !== '')
  const isOfFields = lines.every(
    (line) => !/[,;|]\s/.test(withoutQuotes(line)) && cellsOf(line).length >= minFields,
  )
  return (
    /\||^(?:!|<t)|\S {2}/i.test(lines[0] ?? '') ||
    lines.length < minLines ||
    isOfFields ||
    areRows(lines)
  )
}

/** Whether the first row surely names columns: it has no digits but in names or years, and most others have some. */
export function beginsWithHead([first = '', ...others]: readonly string[]): boolean {
  const isMost = (rows: readonly string[]) => rows.length > others.length / 2
  if (!digit.test(first)) return isMost(others.filter((row) => digit.test(row)))
  const names = cellsOf(first)
  if (names.some(isNumber) || names.every(isYear)) return false
  return isMost(others.filter((row) => cellsOf(row).some(isNumber)))
}

/** Whether the first row names groups of the columns that the second one names, as where merged cells were exported. */
export function hasGroups([first = '', ...others]: readonly string[]): boolean {
  const [groups, names] = [cellsOf(first), cellsOf(others[0] ?? '')]
  const isRepeated = names.some((name, at) => name !== '' && names.indexOf(name) < at)
  return (
    (isRepeated || groups[0] === '') &&
    groups.some((group, at) => group === '' && groups[at - 1]) &&
    ![...groups, ...names].some(isNumber) &&
    beginsWithHead(others)
  )
}

/** Whether a row above the names of columns has a title alone, perhaps as spreadsheets export it, or nothing. */
export function isTitleRow(row: string): boolean {
  const [, ...others] = cellsOf(row)
  return others.length !== 1 && others.every((cell) => cell === '')
}

const year = /^(?:19|20)\d\d(?:[\-–\/](?:(?:19|20)\d\d|\d\d))?\p{L}?$/v

/** Also a span of years, or one that is marked as an estimate: names of columns, no numbers. */
export const isYear = (cell: string): boolean => year.test(cell)
/** Whether a cell has a number and no words, as of a price or a time. */
export const isNumber = (cell: string): boolean =>
  digit.test(cell) && !/\p{L}/u.test(cell) && !isYear(cell)

/** The cells of a row, parted by the separator that it has most of. */
export function cellsOf(row: string): string[] {
  if (colonRow.test(row)) return row.split(':')
  const masked = row.replaceAll(quoted, (cell, before: string) =>
    cell.replaceAll(/[,;\t|]/g, (sign, at) => (at < before.length ? sign : '_')),
  )
  const separator = separatorOf(masked)
  let end = -1
  return masked.split(separator).map((cell) => {
    const start = end + 1
    end = start + cell.length
    return row
      .slice(start, end)
      .trim()
      .replace(/^"(.*)"$/, '$1')
  })
}

/** Beside another separator, a comma between digits is that of a decimal, as in `1,20`. */
function separatorOf(row: string): string {
  const comma = /[;\t|]/.test(row) ? /(?<!\d),|,(?!\d)/g : /,/g
  const counts = [comma, /;/g, /\t/g, /\|/g].map((sign) => row.match(sign)?.length ?? 0)
  return [',', ';', '\t', '|'][counts.indexOf(Math.max(...counts))]!
}

/** Whether it may name them, as in most tables. Where no row has digits, nobody can tell. */
export const mayBeginWithHead = ([first = '', ...others]: readonly string[]): boolean =>
  others.length >= minRowsBelow && !digit.test(first)

const minRowsBelow = 2
const digit = /\p{Nd}/u
