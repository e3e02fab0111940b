const maxWordsApart = 12
const ringSize = 16

/** Measures how close together terms stand, in one text after the other. Terms are numbers, places in `idfs`. */
export class TermProximity {
  readonly #idfs: readonly number[]
  /** The last terms and their places in the text, as a ring. */
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

  /** Takes the next term of the text; `place` counts words. */
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
