/** A heading as Markdown; level 1 is the highest. */
export const headingLine = (level: number, title: string): string =>
  `${'#'.repeat(Math.min(6, level))} ${title}`

/** Rows as a table of Markdown, the first of them its head, without rows and columns that are empty. */
export function tableLines(rows: string[][]): string[] {
  const filled = new Set<number>()
  for (const row of rows)
    for (const [column, cell] of row.entries()) if (cell !== '') filled.add(column)
  const [head, ...others] = rows
    .filter((row) => row.some((cell) => cell !== ''))
    .map((row) => row.filter((_, column) => filled.has(column)))
  if (!head) return []
  while (head.length < filled.size) head.push('')
  return [rowLine(head), rowLine(head.map(() => '---')), ...others.map(rowLine)]
}

const rowLine = (cells: string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

/** Code between fences that are longer than any in it. */
export function codeBlock(code: string): string {
  const fences = code.match(/`{3,}/g) ?? []
  const fence = '`'.repeat(Math.max(3, ...fences.map((one) => one.length + 1)))
  return `${fence}\n${code}\n${fence}`
}
