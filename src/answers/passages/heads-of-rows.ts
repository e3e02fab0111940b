import type { Cover } from './cover.ts'
import type { ReadText } from './passages.ts'

export const hasWord = (cover: Cover | undefined, word: number): boolean =>
  cover?.indexes.includes(word) ?? false

/** The rows that are heads of rows which have a word of the question that the head has not. */
export function headsIn(parts: ReadText['parts'], covers: readonly Cover[]): Set<number> {
  const rows = parts.entries().filter(([index, { kind, head }]) => {
    const hasWords = covers[index]!.indexes.some((word) => !hasWord(covers[head], word))
    return kind === 'row' && hasWords
  })
  return new Set(rows.map(([, { head }]) => head))
}

/** As `#code	name`: a comment to the programs that read the table. Settings are none, nor are tags, nor `# of cpus` below other rows. */
export function isMarkedHead({ text, parts }: ReadText, index: number): boolean {
  const rowAt = (at: number) => {
    const part = parts[at]
    return part && ['head', 'row'].includes(part.kind) ? text.slice(part.start, part.end) : ''
  }
  const isTag = (at: number) => /^#\p{L}/v.test(rowAt(at))
  const isSetting = parts[index]?.cells === '='
  if (isSetting || !/^#\s*\p{L}/v.test(rowAt(index))) return false
  let first = index
  while (rowAt(first - 1) !== '') first -= 1
  if (!rowAt(first).startsWith('#')) return false
  return !isTag(index) || !(isTag(index - 1) || isTag(index + 1))
}
