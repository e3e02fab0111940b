import { hashesOfTokens } from '../token-hash.ts'

/** Which of some rows hold a token. They are gone over when that is first asked. */
export class TokenHolders<Row> {
  readonly #holders = new Map<number, Row[]>()
  #added: { row: Row; words: Uint8Array }[] = []

  /** @param words its tokens in UTF-8, with blanks between */
  add(row: Row, words: Uint8Array): void {
    this.#added.push({ row, words })
  }

  /** @param token its hash */
  of(token: number): Row[] {
    for (const { row, words } of this.#added) this.#hold(row, words)
    this.#added = []
    return this.#holders.get(token) ?? []
  }

  #hold(row: Row, words: Uint8Array): void {
    for (const hash of hashesOfTokens(words).hashes) {
      const holders = this.#holders.get(hash)
      if (holders) holders.push(row)
      else this.#holders.set(hash, [row])
    }
  }
}
