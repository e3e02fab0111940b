/** Rows of cells as lines: the first column to the left, all others to the right. */
export function aligned(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]! + 2),
        )
        .join(''),
    )
    .join('\n')
}
