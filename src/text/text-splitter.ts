/** A fragment's place in its text: UTF-16 code units, `end` exclusive. */
export type Span = { start: number; end: number }

/** About 500 tokens, which embedding models take whole. */
const maxLength = 2_000
const minLength = 1_000
/** Whole sentences at the end of a fragment, up to this much, also open the next one. */
const maxOverlap = 200

const sentenceSegmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** Cuts a text into spans that cover it: at ends of paragraphs, else of sentences, else of words. */
export function* splitText(text: string): Generator<Span> {
  let start = 0
  while (text.length - start > maxLength) {
    const window = text.slice(start, start + maxLength)
    const sentenceEnds = boundaries(sentenceSegmenter, window)
    const length =
      paragraphEnds(window).findLast(mayEnd) ??
      sentenceEnds.findLast(mayEnd) ??
      boundaries(wordSegmenter, window).findLast(mayEnd) ??
      lengthWithoutHalfPair(window)
    yield { start, end: start + length }
    start += overlapStart(sentenceEnds, length)
  }
  yield { start, end: text.length }
}

const mayEnd = (length: number): boolean => length >= minLength && length < maxLength

const paragraphEnds = (window: string): number[] =>
  Array.from(window.matchAll(/\n[^\S\n]*\n\s*/g), (match) => match.index + match[0].length)

const boundaries = (segmenter: Intl.Segmenter, window: string): number[] =>
  Array.from(segmenter.segment(window), ({ index }) => index)

function lengthWithoutHalfPair(window: string): number {
  const last = window.charCodeAt(window.length - 1)
  return last >= 0xd800 && last < 0xdc00 ? window.length - 1 : window.length
}

function overlapStart(sentenceStarts: number[], cut: number): number {
  return sentenceStarts.find((start) => start >= cut - maxOverlap && start <= cut) ?? cut
}
