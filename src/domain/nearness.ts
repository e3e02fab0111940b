/** Terms further apart than this many words say nothing together. */
const farthest = 12

/** How close together terms stand in a text; `rarities` are theirs, by the terms' numbers. */
export class Nearness {
  readonly #rarities: number[]
  #recent: { term: number; place: number }[] = []
  /** The least distance of each two terms that came close, by both. */
  readonly #distances = new Map<number, number>()

  constructor(rarities: number[]) {
    this.#rarities = rarities
  }

  /** Takes the next term of the text, and how many words come before it. */
  add(term: number, place: number): void {
    this.#recent = this.#recent.filter((one) => place - one.place <= farthest)
    for (const one of this.#recent) {
      if (one.term === term) continue
      const key = Math.min(one.term, term) * this.#rarities.length + Math.max(one.term, term)
      const distance = Math.min(place - one.place, this.#distances.get(key) ?? farthest)
      this.#distances.set(key, distance)
    }
    this.#recent.push({ term, place })
  }

  /** Each two terms that came close, by the rarity of the less rare and the less the further apart. */
  get total(): number {
    let total = 0
    for (const [key, distance] of this.#distances) {
      const first = this.#rarities[Math.floor(key / this.#rarities.length)]!
      const second = this.#rarities[key % this.#rarities.length]!
      total += Math.min(first, second) / distance
    }
    return total
  }
}
