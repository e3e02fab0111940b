/** Terms further apart than this many words say nothing together. */
const farthest = 12
/** As many as can stand so close before a term, and some: each has a place of its own. */
const remembered = 16

/**
 * How close together terms stand in one text after the other; `rarities` are theirs, by the terms'
 * numbers. What it counts in is made once, for all texts that a query is compared with: made for each,
 * it was a third of what a hybrid query left behind for V8 to collect.
 */
export class Nearness {
  readonly #rarities: number[]
  /** The last terms that came, and how many words come before each, in a ring. */
  readonly #terms = new Int32Array(remembered)
  readonly #places = new Int32Array(remembered)
  #count = 0
  /** The least distance of each two terms, by both; 0 where they did not come close. */
  readonly #distances: Uint8Array
  /** Which of those are not 0. */
  readonly #close: number[] = []

  constructor(rarities: number[]) {
    this.#rarities = rarities
    this.#distances = new Uint8Array(rarities.length ** 2)
  }

  /** Begins with another text. */
  clear(): void {
    for (const pair of this.#close) this.#distances[pair] = 0
    this.#close.length = 0
    this.#count = 0
  }

  /** Takes the next term of the text, and how many words come before it. */
  add(term: number, place: number): void {
    const oldest = Math.max(0, this.#count - remembered)
    for (let index = this.#count - 1; index >= oldest; index--) {
      const distance = place - this.#places[index % remembered]!
      if (distance > farthest) break
      const other = this.#terms[index % remembered]!
      if (other !== term) this.#addPair(other, term, distance)
    }
    this.#terms[this.#count % remembered] = term
    this.#places[this.#count % remembered] = place
    this.#count += 1
  }

  #addPair(one: number, other: number, distance: number): void {
    const pair = Math.min(one, other) * this.#rarities.length + Math.max(one, other)
    const known = this.#distances[pair]!
    if (known === 0) this.#close.push(pair)
    if (known === 0 || distance < known) this.#distances[pair] = distance
  }

  /** Each two terms that came close, by the rarity of the less rare and the less the further apart. */
  get total(): number {
    let total = 0
    for (const pair of this.#close) {
      const first = this.#rarities[Math.floor(pair / this.#rarities.length)]!
      const second = this.#rarities[pair % this.#rarities.length]!
      total += Math.min(first, second) / this.#distances[pair]!
    }
    return total
  }
}
