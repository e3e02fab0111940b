import { HashSums } from '../hash-sums.ts'
import { hashesOfTokens, hashOfToken } from '../token-hash.ts'

/** Enough for millions of fragments in a language with words; past it, new tokens count as unseen. */
const mostTokens = 2 ** 22

/**
 * How many fragments hold each token of the `words` column, how many fragments there are, and how
 * long they are: what makes a word count for more the rarer it is. Kept in memory beside the table.
 */
export class WordCounts {
  readonly #holders = new HashSums()
  #fragments = 0
  #tokens = 0

  /** How many there are that have a token; LanceDB's index counts no others, too. */
  get fragments(): number {
    return this.#fragments
  }

  /** How many tokens a fragment has on average; at least 1. */
  get averageLength(): number {
    return Math.max(1, this.#tokens / Math.max(1, this.#fragments))
  }

  /** How many fragments hold the token. */
  holdersOf(token: string): number {
    return Math.max(0, this.#holders.sumOf(hashOfToken(token)))
  }

  /** Takes in a fragment, by its tokens in UTF-8 with blanks between. */
  add(words: Uint8Array): void {
    this.#count(words, 1)
  }

  remove(words: Uint8Array): void {
    this.#count(words, -1)
  }

  #count(words: Uint8Array, by: 1 | -1): void {
    const hashes = hashesOfTokens(words)
    for (const hash of new Set(hashes)) {
      const isKnown = this.#holders.size < mostTokens || this.#holders.sumOf(hash) > 0
      if (isKnown) this.#holders.add(hash, by)
    }
    if (hashes.length > 0) this.#fragments += by
    this.#tokens += by * hashes.length
  }
}
