import { digitOf, invisible, otherDigit } from './words.ts'

/** A text without what nobody sees, and for each of its code units where that stands in the whole text. */
type SeenText = { seen: string; places: readonly number[] }

/** Its blanks are those of ASCII, and so are its digits where they are one code unit. */
export function seenText(text: string): SeenText {
  const places: number[] = []
  let seen = ''
  let from = 0
  const add = (end: number) => {
    for (let place = from; place < end; place++) places.push(place)
    seen += text.slice(from, end)
  }
  for (const { 0: found, 1: kept, index } of text.matchAll(invisible)) {
    if (kept !== undefined) continue
    add(index)
    from = index + found.length
  }
  add(text.length)
  const plain = seen
    .replace(/\p{Zs}/gv, ' ')
    .replace(otherDigit, (digit) => (digit.length === 1 ? digitOf(digit) : digit))
  return { seen: plain, places }
}
