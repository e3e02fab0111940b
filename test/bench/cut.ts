import type { Text } from './collection.ts'

const length = 400
/** How far a cut moves on to fall between two words; a text without spaces is cut where it is. */
const longestWord = 20

/**
 * `count` texts of some 400 characters each, which overlap: a store of any size out of a small
 * collection, with its words as often as they are. How far apart they start follows from `count`,
 * for 20,000 of Cranfield's some 50 characters. There are fewer where the collection is too small
 * for so many, and of a large one the first are taken.
 */
export function cutTexts(documents: Text[], count: number): Text[] {
  const spare = documents.reduce((sum, { text }) => sum + Math.max(0, text.length - length), 0)
  const step = Math.max(1, Math.floor(spare / Math.max(1, count - documents.length)))
  return documents
    .values()
    .flatMap((document) => pieces(document, step))
    .filter(({ text }) => /\S/.test(text))
    .take(count)
    .toArray()
}

function* pieces({ number, text }: Text, step: number): Generator<Text> {
  let start = 0
  do {
    const piece = text.slice(wordStart(text, start), wordStart(text, start + length))
    yield { number: `${number}+${start}`, text: piece.toWellFormed() }
    start += step
  } while (start - step + length < text.length)
}

function wordStart(text: string, index: number): number {
  if (index === 0 || index >= text.length) return index
  const space = text.slice(index, index + longestWord).search(/\s/)
  return space < 0 ? index : index + space + 1
}
