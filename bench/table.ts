import { markdownTable } from 'markdown-table'
import { cpus } from 'node:os'

export type Cell = string | number

/** A table in Markdown, with its figures to the right; the first row names the columns. */
export function table(rows: Cell[][]): string {
  const align = rows[0]!.map((_, column) => (column === 0 ? 'l' : 'r'))
  return `\n${markdownTable(
    rows.map((row) => row.map(textOf)),
    { align },
  )}`
}

function textOf(cell: Cell): string {
  if (typeof cell === 'string' || Number.isInteger(cell)) return String(cell)
  if (Number.isNaN(cell)) return '-'
  if (cell >= 100) return cell.toFixed(0)
  return cell.toFixed(cell < 1 ? 4 : cell < 10 ? 2 : 1)
}

/** When and on what this was measured. */
export function circumstances(): string {
  const day = new Date().toISOString().slice(0, 10)
  const cores = `${cpus().length} cores of ${cpus()[0]?.model.trim()}`
  return `\n${day}, ${cores}, Node.js ${process.versions.node}`
}
