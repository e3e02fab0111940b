import type { Span } from '../text/splitting/kept-together.ts'
import { type Line, LineReader } from '../text/splitting/lines.ts'

/** Lines that belong together. `isHead` is the first row of a table that has a rule below it. */
export type Block = Span & { kind: Line['kind'] | 'comment'; isHead: boolean }

/** Paragraphs, code, comments, and each other line by itself; blank lines, fences and rules are left out. */
export function blocksIn(text: string): Block[] {
  const blocks: Block[] = []
  const reader = new LineReader(text)
  let last: Block['kind'] | undefined
  let commentEnd = 0
  for (let line = reader.next(); line; line = reader.next()) {
    const { start, end } = line
    commentEnd = Math.max(commentEnd, commentEndOf(text, line))
    const kind = start < commentEnd ? 'comment' : line.kind
    const block = blocks.at(-1)
    const isSame = kind === last && kind === block?.kind
    if (isSame && manyLines.has(kind)) block.end = end
    else if (kind === 'comment' || (isSaid(text.slice(start, end)) && kind !== 'fence')) {
      blocks.push({ kind, start, end, isHead: false })
    } else if (kind === 'row' && last === 'row' && isFirstRow(blocks)) block!.isHead = true
    last = kind
  }
  return blocks
}

const manyLines = new Set<Block['kind']>(['prose', 'code', 'comment'])

/** 0 where a line opens no comment, or the text does not close it. */
function commentEndOf(text: string, { kind, start, end }: Line): number {
  const isOpening = kind === 'prose' && text.slice(start, end).trimStart().startsWith('<!--')
  return isOpening ? text.indexOf('-->', start) + 1 : 0
}

const isFirstRow = (blocks: Block[]): boolean =>
  blocks.at(-1)?.kind === 'row' && blocks.at(-2)?.kind !== 'row'

export const isSaid = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)
