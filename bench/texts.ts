import { Random } from '../test/support/random.ts'
import type { Text } from './collection.ts'

const pieceLength = 400
/** How far a cut moves on to fall between two words; a text without spaces is cut where it is. */
const longestWord = 20

/**
 * `count` texts of some 400 characters each, which overlap: a store of any size out of a small
 * collection, with its words as often as they are. There are fewer where the collection is too small
 * for so many, and of a large one the first are taken.
 */
export function cutTexts(documents: Text[], count: number): Text[] {
  const spare = documents.reduce((sum, { text }) => sum + Math.max(0, text.length - pieceLength), 0)
  const step = Math.max(1, Math.floor(spare / Math.max(1, count - documents.length)))
  const pieces = documents.values().flatMap((document) => piecesOf(document, step))
  return [...pieces.filter(({ text }) => /\S/.test(text)).take(count)]
}

function* piecesOf({ number, text }: Text, step: number): Generator<Text> {
  let start = 0
  do {
    const piece = text.slice(wordStart(text, start), wordStart(text, start + pieceLength))
    yield { number: `${number}+${start}`, text: piece.toWellFormed() }
    start += step
  } while (start - step + pieceLength < text.length)
}

function wordStart(text: string, index: number): number {
  if (index === 0 || index >= text.length) return index
  const space = text.slice(index, index + longestWord).search(/\s/)
  return space < 0 ? index : index + space + 1
}

/** The documents that the pieces were cut from, in the order of their first pieces. */
export const documentsOf = (pieces: string[]): string[] => [
  ...new Set(pieces.map((number) => number.slice(0, number.lastIndexOf('+')))),
]

/**
 * As many different questions as asked for: the given ones, and then spans of words out of the
 * documents, the same ones for the same documents. A handful asked again and again would only show
 * what is in the caches. A small collection gives fewer.
 */
export function questionsOf(given: string[], documents: Text[], count: number): string[] {
  const random = new Random(1)
  const questions = new Set(given)
  for (let left = 20 * count; questions.size < count && left > 0; left--) {
    const span = spanOf(random, documents)
    if (span !== '') questions.add(span)
  }
  return [...questions]
}

/** 6 to 20 consecutive words of a random document, or nothing if it has no such span. */
function spanOf(random: Random, documents: Text[]): string {
  const words = random.pick(documents).text.split(/\s+/).filter(Boolean)
  const length = 6 + random.below(15)
  const start = random.below(Math.max(1, words.length - length + 1))
  const span = words.slice(start, start + length)
  // A word may be a whole text without spaces, which nobody asks for.
  return span.length === length && span.join(' ').length <= 1000 ? span.join(' ') : ''
}
