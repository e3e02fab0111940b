import { type Head, readHead } from './line.ts'
import { countLines, type NumberedLine, numberedLines } from './numbered-lines.ts'

export type Export = {
  head: Partial<Head> | undefined
  /** How many documents there are; undefined for standard input and pipes, which cannot be read twice. */
  count: number | undefined
  documents: AsyncIterable<NumberedLine>
}

/** An export in a file, or in standard input for `-`. */
export async function openExport(path: string): Promise<Export> {
  const count = await countLines(path)
  const lines = numberedLines(path)
  const { value: first } = await lines.next()
  const head = first?.line === undefined ? undefined : readHead(first.line)
  if (!head) return { head, count, documents: first ? joined(first, lines) : lines }
  return { head, count: count && count - 1, documents: lines }
}

async function* joined<T>(first: T, others: AsyncIterable<T>): AsyncGenerator<T> {
  yield first
  yield* others
}
