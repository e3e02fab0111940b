import { beginsWithHead, mayBeginWithHead } from '../../text/table-lines.ts'
import type { TextPiece } from './part.ts'

/** Of the title of a table, which ends with it. */
export const levelOfTitle = 7

export function withHeads(text: string, pieces: TextPiece[]): TextPiece[] {
  return pieces.map((one, index) => {
    if (one.kind !== 'row' || !one.isFirst) return one
    let end = index + 1
    while (pieces[end]?.kind === 'row' && !pieces[end]?.isFirst) end++
    const texts = pieces.slice(index, end).map((row) => text.slice(row.start, row.end))
    if (beginsWithHead(texts)) return { ...one, kind: 'head' }
    return mayBeginWithHead(texts) ? { ...one, mayBeHead: true } : one
  })
}

const maxTitle = 100
/** A sentence, a list, a value with its name, or a number to call. */
const isSaying = /(?<!\d)[.!?。！？](?:\s|$)|[\n,;:：]|^\s*[\-*•]\s|\d{5}/v

/** A short line directly above the head of a table is its title, unless it says something itself. */
export function withTitles(text: string, pieces: TextPiece[]): TextPiece[] {
  return pieces.map((one, index) => {
    const next = pieces[index + 1]
    const line = text.slice(one.start, one.end)
    const isTitle =
      one.kind === 'text' &&
      (next?.kind === 'head' || next?.mayBeHead === true) &&
      line.length <= maxTitle &&
      !isSaying.test(line)
    return isTitle ? { ...one, kind: 'heading', level: levelOfTitle } : one
  })
}

/** Whether a part is of a table, and not of another one than that below a title. */
export function isUnderTitle(pieces: TextPiece[], index: number): boolean {
  const { kind, isFirst } = pieces[index]!
  const begins = kind === 'head' || (kind === 'row' && isFirst)
  return begins ? pieces[index - 1]?.level === levelOfTitle : kind === 'row'
}
