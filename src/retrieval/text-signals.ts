import { TimeSlice } from '../process/time-slice.ts'
import type { Found } from '../store/types.ts'
import { hashesOf, termHashesOf } from '../text/tokens.ts'
import { writtenWords } from '../text/words.ts'

type TextSignals = {
  near: number
  /** The idf-weighted share of query terms in the title: the name, and for short texts the opening. */
  title: number
}

/** A longer text is cut into fragments whose first lines are mostly no titles. */
const maxFragmentsWithTitle = 3

/** Searches find the same rows again and again. Analysis is most of the cost of comparing them. */
const analyses = new WeakMap<Found, AnalysedText>()

/** Analyses texts before they are compared, and yields between them. */
export async function analyseAll(found: Found[]): Promise<void> {
  const slice = new TimeSlice()
  for (const one of found.filter((some) => !analyses.has(some))) {
    analysisOf(one)
    await slice.pause()
  }
}

export class SignalReader {
  readonly #numbers: ReadonlyMap<number, number>
  readonly #idfs: readonly number[]
  readonly #sumOfIdfs: number
  readonly #proximity: TermProximity

  constructor(idfs: ReadonlyMap<string, number>) {
    this.#numbers = new Map(hashesOf([...idfs.keys()]).map((hash, n) => [hash, n]))
    this.#idfs = [...idfs.values()]
    this.#sumOfIdfs = this.#idfs.reduce((sum, one) => sum + one, 0) || 1
    this.#proximity = new TermProximity(this.#idfs)
  }

  signalsOf(found: Found): TextSignals {
    const { terms, title, name } = analysisOf(found)
    const isShort = found.fragmentCount <= maxFragmentsWithTitle
    return {
      near: this.#nearnessIn(terms) / this.#sumOfIdfs,
      title: this.#shareOf(isShort ? title : name),
    }
  }

  nameShareOf(found: Found): number {
    return this.#shareOf(analysisOf(found).name)
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

  #shareOf(hashes: Int32Array): number {
    let total = 0
    for (const hash of hashes) total += this.#idfs[this.#numbers.get(hash) ?? -1] ?? 0
    return total / this.#sumOfIdfs
  }
}

function analysisOf(found: Found): AnalysedText {
  const known = analyses.get(found)
  if (known) return known
  const analysis = analyse(found)
  analyses.set(found, analysis)
  return analysis
}

type AnalysedText = {
  /** For each word in order its term, or one of the two below. */
  terms: Int32Array
  name: Int32Array
  /** Those in its name, and in its first line or, of a whole text, its opening. */
  title: Int32Array
}

/** Stands for a stop word, which has no term. */
const stopWord = 0
/** Stands for a run of characters without spaces, which has many terms. */
const unspacedRun = 1

const maxOpening = 250
const maxLine = 120

const analyse = ({ text, name, position }: Found): AnalysedText => {
  const visible = text.trimStart()
  const opening = position === 0 ? visible.slice(0, maxOpening) : firstLine(visible)
  const inName = termSetOf(name)
  return {
    terms: Int32Array.from(formsIn(text), ({ kind, hashes: [term = stopWord] }) =>
      kind === 'unspaced' ? unspacedRun : term,
    ),
    name: Int32Array.from(inName),
    title: Int32Array.from(inName.union(termSetOf(opening))),
  }
}

export const termSetOf = (text: string): Set<number> =>
  new Set(formsIn(text).flatMap(({ hashes }) => hashes))

const formsIn = (text: string) => writtenWords(text).flatMap(termHashesOf)

const firstLine = (text: string): string => text.slice(0, maxLine).split(lineEnd, 1)[0] ?? ''

const lineEnd = /\n|[.!?](?=\s|$)|[。！？।؟]/v

const maxWordsApart = 12
const ringSize = 16

/** Measures how close together terms stand, in one text after the other. Terms are numbers, places in `idfs`. */
class TermProximity {
  readonly #idfs: readonly number[]
  readonly #terms = new Int32Array(ringSize)
  readonly #places = new Int32Array(ringSize)
  #count = 0
  /** The minimum distance of each pair of terms; 0 when they did not come close. */
  readonly #distances: Uint8Array
  readonly #close: number[] = []

  constructor(idfs: readonly number[]) {
    this.#idfs = idfs
    this.#distances = new Uint8Array(idfs.length ** 2)
  }

  clear(): void {
    for (const pair of this.#close) this.#distances[pair] = 0
    this.#close.length = 0
    this.#count = 0
  }

  add(term: number, place: number): void {
    const oldest = Math.max(0, this.#count - ringSize)
    for (let index = this.#count - 1; index >= oldest; index--) {
      const distance = place - this.#places[index % ringSize]!
      if (distance > maxWordsApart) break
      const other = this.#terms[index % ringSize]!
      if (other !== term) this.#addPair(other, term, distance)
    }
    this.#terms[this.#count % ringSize] = term
    this.#places[this.#count % ringSize] = place
    this.#count += 1
  }

  #addPair(one: number, other: number, distance: number): void {
    const pair = Math.min(one, other) * this.#idfs.length + Math.max(one, other)
    const known = this.#distances[pair]!
    if (known === 0) this.#close.push(pair)
    if (known === 0 || distance < known) this.#distances[pair] = distance
  }

  /** The sum over close pairs of the lower idf divided by the distance. */
  get total(): number {
    let total = 0
    for (const pair of this.#close) {
      const first = this.#idfs[Math.floor(pair / this.#idfs.length)]!
      const second = this.#idfs[pair % this.#idfs.length]!
      total += Math.min(first, second) / this.#distances[pair]!
    }
    return total
  }
}
