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

const maxTitle = 200
/** The number of a table may end with a full stop. */
const endOfSentence = /(?<!\d)[.!?。！？](?:\s|$)|[:;：]$/v

/** Lines that end no sentence, directly above the head of a table, are its title. */
export function withTitles(text: string, pieces: TextPiece[]): TextPiece[] {
  return pieces.map((one, index) => {
    const next = pieces[index + 1]
    const line = text.slice(one.start, one.end)
    const isTitle =
      one.kind === 'text' &&
      (next?.kind === 'head' || next?.mayBeHead === true) &&
      line.length <= maxTitle &&
      !endOfSentence.test(line)
    return isTitle ? { ...one, kind: 'heading', level: levelOfTitle } : one
  })
}

export const isOfTable = ({ kind }: TextPiece): boolean => kind === 'head' || kind === 'row'
