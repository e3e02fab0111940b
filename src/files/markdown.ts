/** A heading as Markdown; level 1 is the highest. */
export const headingLine = (level: number, title: string): string =>
  `${'#'.repeat(Math.min(6, level))} ${title}`

/** Rows as a table of Markdown, the first of them its head. */
export function tableLines(rows: string[][]): string[] {
  const [head, ...others] = rows.filter((row) => row.some((cell) => cell !== ''))
  if (!head) return []
  return [rowLine(head), rowLine(head.map(() => '---')), ...others.map(rowLine)]
}

const rowLine = (cells: string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
