import type { Span } from './splitting/kept-together.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Ends like `Dr.`, `St.` or `U.S.`, which a sentence seldom has. */
const abbreviation = /(?:^|[\s(.])\p{Lu}\p{L}{0,2}\.\s+$/u
/** A line that a margin has cut: it is long, and goes on in the next one. */
const cutLine = /(?<=[^\n]{50}[^\n.!?:;。！？।؟])\n(?=[^\S\n]*[^\s\p{P}\p{S}])|\n(?=\p{Ll})/gu

/** The sentences of a text, each without the white space around it; a line that ends early is one, too. */
export function sentencesOf(text: string): Span[] {
  const spans: Span[] = []
  let start = 0
  // A blank is as long as the line end it stands for, so that places stay.
  for (const { segment, index } of segmenter.segment(text.replace(cutLine, ' '))) {
    const end = index + segment.length
    if (abbreviation.test(segment)) continue
    addTrimmed(spans, text, start, end)
    start = end
  }
  addTrimmed(spans, text, start, text.length)
  return spans
}

function addTrimmed(spans: Span[], text: string, start: number, end: number): void {
  const piece = text.slice(start, end)
  const trimmed = piece.trim()
  if (trimmed === '') return
  const from = start + piece.indexOf(trimmed)
  spans.push({ start: from, end: from + trimmed.length })
}
