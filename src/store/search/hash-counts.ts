const partCount = 256

/** How often each hash was added. In parts, because a large map takes a long turn to grow. */
export class HashCounts {
  readonly #parts = Array.from({ length: partCount }, () => new Map<number, number>())
  #size = 0

  /** How many different ones there are. */
  get size(): number {
    return this.#size
  }

  get(hash: number): number {
    return this.#partOf(hash).get(hash) ?? 0
  }

  add(hash: number): void {
    const part = this.#partOf(hash)
    const count = part.get(hash) ?? 0
    if (count === 0) this.#size += 1
    part.set(hash, count + 1)
  }

  #partOf(hash: number): Map<number, number> {
    return this.#parts[hash & (partCount - 1)]!
  }
}
