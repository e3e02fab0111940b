import type { Span } from '../text/splitting/kept-together.ts'
import { type Line, LineReader } from '../text/splitting/lines.ts'

/** Lines that belong together. `isHead` is the first row of a table that has a rule below it. */
export type Block = Span & { kind: Line['kind']; isHead: boolean }

/** Paragraphs, code, and each other line by itself; blank lines, fences and rules are left out. */
export function blocksIn(text: string): Block[] {
  const blocks: Block[] = []
  const reader = new LineReader(text)
  let last: Line['kind'] | undefined
  for (let line = reader.next(); line; line = reader.next()) {
    const { kind, start, end } = line
    const block = blocks.at(-1)
    const goesOn = kind === last && (kind === 'prose' || kind === 'code')
    if (goesOn && block) block.end = end
    else if (isSaid(text.slice(start, end)) && kind !== 'fence') {
      blocks.push({ kind, start, end, isHead: false })
    } else if (kind === 'row' && last === 'row' && isFirstRow(blocks)) block!.isHead = true
    last = kind
  }
  return blocks
}

const isFirstRow = (blocks: Block[]): boolean =>
  blocks.at(-1)?.kind === 'row' && blocks.at(-2)?.kind !== 'row'

export const isSaid = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)
