import { hashesOfTokens } from '../token-hash.ts'

/** Which of some rows hold a token. They are gone over when that is first asked. */
export class TokenHolders<Row extends { length: number }> {
  readonly #holders = new Map<number, Row[]>()
  #added: { row: Row; words: Uint8Array }[] = []

  /**
   * @param row its `length` is set to the number of its tokens before it is given out
   * @param words its tokens in UTF-8, with blanks between
   */
  add(row: Row, words: Uint8Array): void {
    this.#added.push({ row, words })
  }

  /**
   * A row stands there as often as it holds the token, one after the other.
   * @param token its hash
   */
  of(token: number): Row[] {
    for (const { row, words } of this.#added) this.#hold(row, words)
    this.#added = []
    return this.#holders.get(token) ?? []
  }

  #hold(row: Row, words: Uint8Array): void {
    const hashes = hashesOfTokens(words)
    row.length = hashes.length
    for (const hash of hashes) {
      const holders = this.#holders.get(hash)
      if (holders) holders.push(row)
      else this.#holders.set(hash, [row])
    }
  }
}
