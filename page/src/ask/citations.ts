import type { Citation } from '../../../client/src/index.ts'

export type Piece = string | Citation[]

/** An answer in pieces: text, and after each claim its citations, in place of the numbers a model wrote. */
export function citedPieces(text: string, citations: Citation[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  const ends = [...new Set(citations.map(({ end }) => end))].toSorted((a, b) => a - b)
  for (const end of ends) {
    const own = citations.filter((citation) => citation.end === end)
    pieces.push(text.slice(at, end), own)
    at = end + (markers.exec(text.slice(end))?.[0].length ?? 0)
  }
  return [...pieces, text.slice(at)]
}

const markers = /^(?:\s?\[\d+\])+/

/** What a citation's `support` means. It does not say that the claim is right. */
export function supportInWords(support: number): string {
  if (support >= 0.995) return 'quoted word for word'
  if (support >= 0.75) return 'worded much like the source'
  if (support >= 0.4) return 'worded partly like the source'
  return 'worded differently from the source: compare'
}
