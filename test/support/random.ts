/** Choices that a seed repeats. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit)
  }

  chance(probability: number): boolean {
    return this.#next() < probability
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  /** Mulberry32. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** How many rounds to run and from which seed, which the environment can set. */
export function roundsFor(name: string, fewest: number): { rounds: number; seed: number } {
  const rounds = process.env[`${name}_ROUNDS`]
  return { rounds: Number(rounds ?? fewest), seed: seedFor(name, rounds !== undefined) }
}

/** Always the same seed, so that a run shows what changed. Deep runs take another each time. */
export function seedFor(name: string, isDeep = false): number {
  const given = process.env[`${name}_SEED`]
  const seed = Number(given ?? (isDeep ? Math.floor(Math.random() * 2 ** 31) : 1))
  console.log(`${name}_SEED=${seed}`)
  return seed
}
