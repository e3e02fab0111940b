import type { Found } from '../store/search/found.ts'
import { hashOfToken } from '../text/token-hash.ts'
import { analyse, type AnalysedText, stopWord, termSetOf, unspacedRun } from './analysed-text.ts'
import { TermProximity } from './term-proximity.ts'

/** Signs that a text answers a query, beside its score by words. */
export type TextSigns = {
  /** How close together the query's terms stand. */
  near: number
  /** Which share of the query's terms stands in the first line of a short text, by their idf. */
  line: number
}

/** A longer text is cut into fragments whose first lines are mostly no titles. */
const maxFragmentsWithTitle = 3

/** Searches find the same rows again and again, and analysis is most of comparing them. */
const analyses = new WeakMap<Found, AnalysedText>()

export class SignReader {
  readonly #numbers: ReadonlyMap<number, number>
  readonly #idfs: readonly number[]
  readonly #sumOfIdfs: number
  readonly #proximity: TermProximity

  constructor(idfs: ReadonlyMap<string, number>) {
    this.#numbers = new Map(Array.from(idfs.keys(), (term, n) => [hashOfToken(term), n]))
    this.#idfs = [...idfs.values()]
    this.#sumOfIdfs = this.#idfs.reduce((sum, one) => sum + one, 0)
    this.#proximity = new TermProximity(this.#idfs)
  }

  signsOf(found: Found): TextSigns {
    if (this.#sumOfIdfs === 0) return { near: 0, line: 0 }
    const { terms, line } = analysisOf(found)
    const hasTitle = found.fragmentCount <= maxFragmentsWithTitle
    return {
      near: this.#nearnessIn(terms) / this.#sumOfIdfs,
      line: hasTitle ? this.#idfOf(line) / this.#sumOfIdfs : 0,
    }
  }

  /** Which share of the query's terms stands in the name, by their idf. */
  nameShareOf({ name }: Found): number {
    if (this.#sumOfIdfs === 0) return 0
    return this.#idfOf(termSetOf(name)) / this.#sumOfIdfs
  }

  #nearnessIn(terms: Int32Array): number {
    this.#proximity.clear()
    for (let place = 0; place < terms.length; place++) {
      const hash = terms[place]!
      if (hash === stopWord || hash === unspacedRun) continue
      const number = this.#numbers.get(hash)
      if (number !== undefined) this.#proximity.add(number, place)
    }
    return this.#proximity.total
  }

  #idfOf(hashes: Iterable<number>): number {
    let total = 0
    for (const hash of hashes) total += this.#idfs[this.#numbers.get(hash) ?? -1] ?? 0
    return total
  }
}

function analysisOf(found: Found): AnalysedText {
  const known = analyses.get(found)
  if (known) return known
  const analysis = analyse(found.text)
  analyses.set(found, analysis)
  return analysis
}
