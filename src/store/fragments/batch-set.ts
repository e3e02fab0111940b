/**
 * Which batches a table may have. What is not in it the table has not, as long as nobody else writes
 * to it; what is in it is to be looked up. A look-up for every upsert would read all rows, and takes
 * as long as the commit. 32 bits of a batch's random ones are kept, in about 20 bytes.
 */
export class BatchSet {
  readonly #hashes = new Set<number>()

  add(batch: string): void {
    if (this.#hashes.size < mostHashes) this.#hashes.add(hashOf(batch))
  }

  mayHave(batch: string): boolean {
    return this.#hashes.size === mostHashes || this.#hashes.has(hashOf(batch))
  }
}

/** A `Set` takes no more; past that every batch is looked up. */
const mostHashes = 2 ** 24 - 1

const hashOf = (batch: string): number => Number.parseInt(batch.slice(-8), 16) | 0
