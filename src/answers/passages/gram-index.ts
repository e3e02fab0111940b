import { folded } from '../../text/folding.ts'
import { gramLength } from '../../text/tokens.ts'

export class GramIndex {
  /** The indexes of words by gram; a word that has a gram twice is there twice. */
  readonly #places = new Map<string, number[]>()
  readonly #sizes: number[]
  /** The number of found grams of each word; all 0 between two calls. */
  readonly #counts: Uint32Array

  constructor(gramsOfWords: (readonly string[])[]) {
    this.#sizes = gramsOfWords.map(({ length }) => length)
    this.#counts = new Uint32Array(gramsOfWords.length)
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
    const sharing: number[] = []
    for (const piece of possibleGramsOf(`^${folded(word)}$`)) {
      for (const place of this.#places.get(piece) ?? []) {
        if (this.#counts[place] === 0) sharing.push(place)
        this.#counts[place]! += 1
      }
    }
    return sharing.map((place) => {
      const share = this.#counts[place]! / this.#sizes[place]!
      this.#counts[place] = 0
      return [place, share]
    })
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
