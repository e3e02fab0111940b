import { folded } from '../text/folding.ts'
import { gramLength } from '../text/tokens.ts'

export class GramIndex {
  /** The indexes of words by gram; a word that has a gram twice is there twice. */
  readonly #places = new Map<string, number[]>()
  readonly #sizes: number[]

  constructor(gramsOfWords: (readonly string[])[]) {
    this.#sizes = gramsOfWords.map(({ length }) => length)
    for (const [place, grams] of gramsOfWords.entries()) {
      for (const gram of grams) {
        const known = this.#places.get(gram)
        if (known) known.push(place)
        else this.#places.set(gram, [place])
      }
    }
  }

  /** For each word that shares grams with a case-folded one, the share of its grams, above 0 to 1. */
  sharesIn(word: string): [place: number, share: number][] {
    const counts = new Map<number, number>()
    for (const piece of possibleGramsOf(`^${folded(word)}$`)) {
      for (const place of this.#places.get(piece) ?? []) {
        counts.set(place, (counts.get(place) ?? 0) + 1)
      }
    }
    return Array.from(counts, ([place, count]) => [place, count / this.#sizes[place]!])
  }
}

function possibleGramsOf(marked: string): Set<string> {
  const pieces = new Set<string>()
  for (let start = 0; start < marked.length; start++) {
    for (let end = start + 2; end <= Math.min(marked.length, start + gramLength); end++) {
      pieces.add(marked.slice(start, end))
    }
  }
  return pieces
}
