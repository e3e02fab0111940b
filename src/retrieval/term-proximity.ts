/** Terms further apart than this many words say nothing together. */
const maxDistance = 12
/** As many as can stand so close before a term, and some: each has a place of its own. */
const ringSize = 16

/**
 * How close together terms stand in one text after the other; `idfs` are theirs, by the terms' numbers.
 * What it counts in is made once, for all texts that a query is compared with.
 */
export class TermProximity {
  readonly #idfs: readonly number[]
  /** The last terms that came, and how many words come before each, in a ring. */
  readonly #terms = new Int32Array(ringSize)
  readonly #places = new Int32Array(ringSize)
  #count = 0
  /** The least distance of each two terms, by both; 0 where they did not come close. */
  readonly #distances: Uint8Array
  /** Which of those are not 0. */
  readonly #close: number[] = []

  constructor(idfs: readonly number[]) {
    this.#idfs = idfs
    this.#distances = new Uint8Array(idfs.length ** 2)
  }

  /** Begins with another text. */
  clear(): void {
    for (const pair of this.#close) this.#distances[pair] = 0
    this.#close.length = 0
    this.#count = 0
  }

  /** Takes the next term of the text, and how many words come before it. */
  add(term: number, place: number): void {
    const oldest = Math.max(0, this.#count - ringSize)
    for (let index = this.#count - 1; index >= oldest; index--) {
      const distance = place - this.#places[index % ringSize]!
      if (distance > maxDistance) break
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

  /** Each two terms that came close, by the idf of the more frequent, and the less the further apart. */
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
