import { cpus } from 'node:os'
import type { Finding } from './findings.ts'
import type { Ratio } from './ratios.ts'
import type { Measured } from './speeds.ts'

/** The figures of every side and number of clients as cells, below a line that names them. */
export function rowsOf(measured: Measured[], findings: Finding[]): string[][] {
  const head = ['clients', 'queries/s', 'p50 ms', 'p95 ms', 'p99 ms', 'recall@10', 'nDCG@10']
  const findingOf = new Map(findings.map((finding) => [finding.side, finding]))
  return [
    ['', ...head],
    ...measured.map(({ side, clients, speed }) => {
      const { recall, ndcg } = findingOf.get(side)!
      const times = [speed.p50, speed.p95, speed.p99].map((time) => time.toFixed(1))
      const found = [recall === undefined ? '' : recall.toFixed(3), ndcg.toFixed(3)]
      return [side, String(clients), speed.rate.toFixed(0), ...times, ...found]
    }),
  ]
}

/** The same as a table in Markdown, the first column to the left and all others to the right. */
export const markdownOf = ([head, ...rows]: string[][]): string =>
  [head!, head!.map((_, column) => (column === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

export const ratioLines = (ratios: Ratio[]): string[][] =>
  ratios.map(({ name, value }) => [name, Number.isNaN(value) ? '-' : value.toFixed(2)])

/** When and on what this was measured. */
export function circumstances(fragments: number, awake: boolean): string {
  const cores = cpus()
  const day = new Date().toISOString().slice(0, 10)
  const machine = `${cores.length} cores (${cores[0]?.model.trim()})`
  const kept = awake ? ' kept awake' : ''
  return `${fragments} fragments, ${day}, ${machine}${kept}, Node.js ${process.versions.node}`
}
