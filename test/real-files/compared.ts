/** What the text of another tool says of ours: shares of its words and of its pairs of words, and words that it writes apart. */
export type Compared = { found: number; inOrder: number; glued: string[] }

const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+/gu
const apart = /(?<!\p{L})(\p{L}{2,})[ \t]+(?=(\p{L}{2,})(?!\p{L}))/gu

const plain = (text: string): string =>
  text.normalize('NFKC').replaceAll('\u00ad', '').toLowerCase()

const wordsOf = (text: string): string[] => plain(text).match(word) ?? []

export function compare(ours: string, theirs: string): Compared {
  const [mine, others] = [wordsOf(ours), wordsOf(theirs)]
  const counts = new Map<string, number>()
  for (const one of mine) counts.set(one, (counts.get(one) ?? 0) + 1)
  const found = others.filter((one) => {
    const count = counts.get(one) ?? 0
    counts.set(one, count - 1)
    return count > 0
  })
  const pairs = new Set(pairsOf(mine))
  const asked = pairsOf(others)
  return {
    found: others.length === 0 ? 1 : found.length / others.length,
    inOrder: asked.length === 0 ? 1 : asked.filter((pair) => pairs.has(pair)).length / asked.length,
    glued: gluedIn(ours, theirs, new Set(others)),
  }
}

const pairsOf = (words: string[]): string[] =>
  words.slice(1).map((one, index) => `${words[index]} ${one}`)

/** Addresses of links, which we write and the others do not, are words in one. */
function gluedIn(ours: string, theirs: string, known: Set<string>): string[] {
  const mine = new Set(wordsOf(ours.replaceAll(/\S*(?:[:.]\/\/|\w\.\w)\S*/g, ' ')))
  const joined = [...plain(theirs).matchAll(apart)].map(([, first, second]) => first! + second!)
  return [...new Set(joined)].filter((one) => mine.has(one) && !known.has(one))
}
