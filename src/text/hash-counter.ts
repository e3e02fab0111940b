/** Sums by 32-bit hash, in the order of first arrival; linear probing is faster than a `Map`. */
export class HashCounter {
  /** One more than the index of a hash in `#hashes`; 0 where the slot is free. */
  #slots = new Int32Array(1024)
  readonly #hashes: number[] = []
  readonly #sums: number[] = []
  #size = 0

  add(hash: number, value: number): void {
    const slot = this.#slotOf(hash)
    const index = this.#slots[slot]! - 1
    if (index >= 0) {
      this.#sums[index]! += value
      return
    }
    this.#hashes[this.#size] = hash
    this.#sums[this.#size] = value
    this.#slots[slot] = ++this.#size
    if (this.#size * 2 === this.#slots.length) this.#grow()
  }

  forEach(visit: (hash: number, sum: number) => void): void {
    for (let index = 0; index < this.#size; index++) visit(this.#hashes[index]!, this.#sums[index]!)
  }

  clear(): void {
    this.#slots.fill(0)
    this.#size = 0
  }

  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1
    let slot = hash & mask
    for (;;) {
      const index = this.#slots[slot]! - 1
      if (index < 0 || this.#hashes[index] === hash) return slot
      slot = (slot + 1) & mask
    }
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2)
    for (let index = 0; index < this.#size; index++) {
      this.#slots[this.#slotOf(this.#hashes[index]!)] = index + 1
    }
  }
}
