import { isNumber } from '../text/table-lines.ts'

export const headingLine = (level: number, title: string): string =>
  `${'#'.repeat(Math.min(6, level))} ${title}`

/** A cell over which the one to its left goes on; as empty as others but for the names of groups. */
export const spanned = ' '

/**
 * Rows as a table of Markdown, the first of them its head, without rows and columns that are empty; a single cell
 * is a line. First rows of one cell are its title, and stand above it. A row that is one cell over all columns is
 * an array of one: between others it stands before each row below it, and behind them it is a line below the table.
 */
export function tableLines(rows: string[][]): string[] {
  const filled = rows.filter((row) => row.some(isFilled))
  if (filled.flat().filter(isFilled).length === 1) return [filled[0]!.join('').trim()]
  const titles = filled.slice(0, topOf(filled))
  const rest = filled.slice(titles.length)
  const end = rest.findLastIndex(({ length }) => length > 1) + 1
  const body = end === 0 ? rest : rest.slice(0, end)
  // Without a head below it, it is no title.
  const hasSection = titles.at(-1)?.length === 1 && body[0]!.some(isNumber)
  const section = hasSection && body.some(isSection) ? titles.pop()![0]! : ''
  const above = titles.map((row) => row.join('').trim())
  const below = rest.slice(body.length).flatMap((row) => ['', row.join('')])
  return [...above, ...(above.length > 0 ? [''] : []), ...bodyLines(body, section), ...below]
}

function bodyLines(body: string[][], section: string): string[] {
  const isWide = body.some(({ length }) => length > 1)
  if (!isWide || !body.some(isSection)) return rowLines(withOneHead(body))
  if (section === '') return rowLines(withSections(withOneHead(body), section))
  return rowLines([[], ...withSections(body, section)])
}

/** The index of the first row below the title, which has two rows below it and does not begin to their right. */
function topOf(rows: string[][]): number {
  const start = rows.reduce(
    (min, row) => (filledIn(row) > 1 ? Math.min(min, startOf(row)) : min),
    Infinity,
  )
  const top = rows.findIndex((row) => filledIn(row) > 1 || startOf(row) > start)
  return top < 0 || top === rows.length - 1 ? 0 : top
}

const startOf = (row: string[]): number => row.findIndex(isFilled)
export const isFilled = (cell: string): boolean => cell !== '' && cell !== spanned
const maxSection = 60
const isSection = (row: string[]): boolean => row.length === 1 && row[0]!.length <= maxSection

function withSections(rows: string[][], first: string): string[][] {
  let section = first
  return rows.flatMap((row, index) => {
    if (!isSection(row)) return [[section, ...row]]
    const isSecond = index > 0 && isSection(rows[index - 1]!)
    section = isSecond ? `${section} ${row[0]!}` : row[0]!
    return []
  })
}

const minNamed = 3

/** A form may have merged cells in all of its rows. */
const maxHead = 4

/** Joins the rows of a head, the names of groups above those of their columns: `Summer Day` and `Summer Week`. */
function withOneHead(rows: string[][], most = maxHead): string[][] {
  const [top, ...rest] = rows
  // A name of a group may stand over each of its columns.
  const groups = top?.map((name, column) =>
    isFilled(name) && name === top[column - 1] ? spanned : name,
  )
  const isDeeper = most > 2 && rest[0]?.includes(spanned)
  const [names, ...others] = isDeeper ? withOneHead(rest, most - 1) : rest
  const first = others.find((row) => !isSection(row))
  if (!groups || !names || !first || isSection(groups)) return rows
  const shared = sharedColumns(groups, names)
  const isHead =
    (areSpanning(groups, names) || areGroups(groups, names, shared.size)) && first.some(isNumber)
  return isHead ? [joinedNames(groups, names, shared), ...others] : rows
}

/** Those whose name stands in both rows, because its cell spans them. */
const sharedColumns = (groups: string[], names: string[]): ReadonlySet<number> =>
  new Set(
    groups.keys().filter((column) => isFilled(groups[column]!) && groups[column] === names[column]),
  )

/** Whether the first row names groups, which are few, of the columns that the second one names. */
function areGroups(groups: string[], names: string[], shared: number): boolean {
  const [ownGroups, ownNames] = [filledIn(groups) - shared, filledIn(names) - shared]
  const fewest = Math.max(shared > 0 ? 2 : minNamed, 2 * ownGroups)
  return ownGroups > 0 && ownNames >= fewest && !names.some(isNumber)
}

const isYear = (name: string): boolean => /^(?:19|20)\d\d$/.test(name)

/** Whether cells of the first row span columns that the second one names, and other columns have one name. */
function areSpanning(groups: string[], names: string[]): boolean {
  const width = Math.max(groups.length, names.length)
  const columns = Array.from({ length: width }, (_, column) => {
    const [above = '', below = ''] = [groups[column], names[column]]
    const isInSpan = above === spanned || groups[column + 1] === spanned
    const isOneName = !isFilled(above) || !isFilled(below) || above === below
    return { isInSpan, isNamed: isInSpan ? isFilled(below) : isOneName }
  })
  const areNames = names.every((name) => !isNumber(name) || isYear(name))
  return areNames && columns.every(({ isNamed }) => isNamed) && haveBoth(columns)
}

const haveBoth = (columns: { isInSpan: boolean }[]): boolean =>
  new Set(columns.map(({ isInSpan }) => isInSpan)).size === 2

/** The name of a group goes on over the blank cells to its right beside a shared column, and above names of several groups. */
function joinedNames(groups: string[], names: string[], shared: ReadonlySet<number>): string[] {
  const width = Math.max(groups.length, names.length)
  const isOfSeveral = (name: string) =>
    isFilled(name) && names.indexOf(name) < names.lastIndexOf(name)
  let group = ''
  return Array.from({ length: width }, (_, column) => {
    const [above, below] = [groups[column] ?? '', names[column] ?? '']
    const goesOn = shared.size > 0 || names.slice(column).some(isOfSeveral)
    if (shared.has(column) || (above === '' && !isFilled(below))) group = ''
    else if (above !== spanned && (above !== '' || !goesOn)) group = above
    return shared.has(column) || group === below ? below : `${group} ${below}`.trim()
  })
}

const filledIn = (row: string[]): number => row.filter(isFilled).length

/** Rows as they are, the first of them the head, without columns that are empty. */
export function rowLines(rows: string[][]): string[] {
  const filled = new Set<number>()
  for (const row of rows)
    for (const [column, cell] of row.entries()) if (isFilled(cell)) filled.add(column)
  const [head, ...others] = rows.map((row) => row.filter((_, column) => filled.has(column)))
  if (!head) return []
  while (head.length < filled.size) head.push('')
  return [rowLine(head), rowLine(head.map(() => '---')), ...others.map(rowLine)]
}

const rowLine = (cells: string[]): string =>
  `| ${cells.map((cell) => cell.trim().replaceAll('|', '\\|')).join(' | ')} |`

export function codeBlock(code: string): string {
  const fences = code.match(/`{3,}/g) ?? []
  const fence = '`'.repeat(Math.max(3, ...fences.map((one) => one.length + 1)))
  return `${fence}\n${code}\n${fence}`
}

const contact =
  /\d{3,4}[\-.\)\s]{1,2}\d{3}[\-.\s]\d{4}|\(\d{2,5}\)\s?\d{3}|\+\d{1,3}[\s\-\(]\d|\S@\S+\.\p{L}/v

const value = /(?::\s+|：)[$€£+\(]?\d\S*(?:\s\S{1,3})?$/v

export const isContact = (text: string): boolean => contact.test(text)

/** Whether a bold line is the heading of what follows, and says no more. */
export const isBoldHeading = (text: string): boolean =>
  !/[.,;]$/.test(text) && !value.test(text) && !isContact(text)
