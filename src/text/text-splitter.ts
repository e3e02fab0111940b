/** A fragment's place in its text: UTF-16 code units, `end` exclusive. */
export type Span = { start: number; end: number }

/** No fragment is longer: about 500 tokens, which embedding models take whole. */
const maxLength = 2_000
/** No fragment but the last is shorter than this, however early its paragraph ends. */
const minLength = 1_000
/** The whole sentences at the end of a fragment, up to this much, open the next one too. */
const maxOverlap = 200

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const words = new Intl.Segmenter('en', { granularity: 'word' })

/**
 * Cuts a text into spans that cover all of it in order. A cut falls at the end of a paragraph where
 * one is near, else of a sentence, else of a word, else between any two characters. Takes time in
 * proportion to the text's length: each window of 2,000 is looked at once.
 */
export function* splitText(text: string): Generator<Span> {
  let start = 0
  while (text.length - start > maxLength) {
    const window = text.slice(start, start + maxLength)
    const sentenceEnds = boundaries(sentences, window)
    const length =
      paragraphEnds(window).findLast(mayEnd) ??
      sentenceEnds.findLast(mayEnd) ??
      boundaries(words, window).findLast(mayEnd) ??
      wholeCharacters(window)
    yield { start, end: start + length }
    start += overlapStart(sentenceEnds, length)
  }
  yield { start, end: text.length }
}

/** Where a fragment may end, counted from the window's start; the window's own end is no boundary. */
const mayEnd = (length: number): boolean => length >= minLength && length < maxLength

const paragraphEnds = (window: string): number[] =>
  Array.from(window.matchAll(/\n[^\S\n]*\n\s*/g), (match) => match.index + match[0].length)

const boundaries = (segmenter: Intl.Segmenter, window: string): number[] =>
  Array.from(segmenter.segment(window), ({ index }) => index)

/** The window's length, or one less where that would cut a surrogate pair. */
function wholeCharacters(window: string): number {
  const last = window.charCodeAt(window.length - 1)
  return last >= 0xd800 && last < 0xdc00 ? window.length - 1 : window.length
}

/** Where the next fragment starts: at the first sentence within `maxOverlap` of the cut. */
function overlapStart(sentenceStarts: number[], cut: number): number {
  return sentenceStarts.find((start) => start >= cut - maxOverlap && start <= cut) ?? cut
}
