/** Rows in columns on a terminal; with tabs between where a program reads them. */
export function table(rows: string[][]): string {
  if (!process.stdout.isTTY) return rows.map((row) => row.join('\t')).join('\n')
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

/** Names and values, one to a line; a value that is empty is left out. */
export function facts(values: Record<string, string | number>): string {
  const rows = Object.entries(values).filter(([, value]) => value !== '')
  return table(rows.map(([name, value]) => [name, String(value)]))
}
