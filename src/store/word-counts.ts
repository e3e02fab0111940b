/**
 * How many fragments hold each token of the `words` column, how many fragments there are, and how
 * long they are: what makes a word count for more the rarer it is. Kept in memory beside the table,
 * at about 40 bytes a token; tokens are told apart by 32 bits.
 */
export class WordCounts {
  readonly #holders = new Map<number, number>()
  #fragments = 0
  #tokens = 0

  get fragments(): number {
    return this.#fragments
  }

  /** How many tokens a fragment has on average; at least 1. */
  get averageLength(): number {
    return Math.max(1, this.#tokens / Math.max(1, this.#fragments))
  }

  /** How many fragments hold the token. */
  holdersOf(token: string): number {
    return this.#holders.get(hashOf(encoder.encode(token))) ?? 0
  }

  /** Takes in a fragment, by its tokens in UTF-8 with blanks between. */
  add(words: Uint8Array): void {
    this.#count(words, 1)
  }

  remove(words: Uint8Array): void {
    this.#count(words, -1)
  }

  #count(words: Uint8Array, by: 1 | -1): void {
    const { hashes, tokens } = tokensIn(words)
    for (const hash of hashes) {
      const holders = (this.#holders.get(hash) ?? 0) + by
      if (holders === 0) this.#holders.delete(hash)
      else this.#holders.set(hash, holders)
    }
    this.#fragments += by
    this.#tokens += by * tokens
  }
}

const encoder = new TextEncoder()
const blank = 0x20

/** The hash of each token once, and how many tokens there are. */
function tokensIn(words: Uint8Array): { hashes: Set<number>; tokens: number } {
  const hashes = new Set<number>()
  let tokens = 0
  for (let start = 0; start < words.length;) {
    let end = words.indexOf(blank, start)
    if (end < 0) end = words.length
    if (end > start) {
      hashes.add(hashOf(words, start, end))
      tokens += 1
    }
    start = end + 1
  }
  return { hashes, tokens }
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let hash = 0x811c9dc5
  for (let index = start; index < end; index++) {
    hash = Math.imul(hash ^ bytes[index]!, 0x01000193)
  }
  return hash
}
