import { hashesOfTokens } from '../token-hash.ts'

/** In place of the posting before the first one. */
const none = -1

/**
 * Which of some rows hold a token. They are gone over when that is first asked. Postings stand in long
 * arrays of numbers, each with the one before of its token: an array for each of 100,000 tokens is what
 * V8 went over longest.
 */
export class TokenHolders<Row> {
  readonly #rows: Row[] = []
  /** The last posting of each token. */
  readonly #last = new Map<number, number>()
  /** For each posting its row, and the posting before. */
  #rowAt = new Int32Array(1024)
  #before = new Int32Array(1024)
  #postings = 0
  #added: { row: Row; words: Uint8Array }[] = []

  /** @param words its tokens in UTF-8, with blanks between */
  add(row: Row, words: Uint8Array): void {
    this.#added.push({ row, words })
  }

  /** @param token its hash */
  of(token: number): Row[] {
    for (const { row, words } of this.#added) this.#hold(row, words)
    this.#added = []
    const holders: Row[] = []
    for (let at = this.#last.get(token) ?? none; at !== none; at = this.#before[at]!) {
      holders.push(this.#rows[this.#rowAt[at]!]!)
    }
    return holders
  }

  #hold(row: Row, words: Uint8Array): void {
    const place = this.#rows.push(row) - 1
    for (const hash of hashesOfTokens(words).hashes) {
      if (this.#postings === this.#rowAt.length) this.#grow()
      this.#rowAt[this.#postings] = place
      this.#before[this.#postings] = this.#last.get(hash) ?? none
      this.#last.set(hash, this.#postings++)
    }
  }

  #grow(): void {
    const [rowAt, before] = [this.#rowAt, this.#before]
    this.#rowAt = new Int32Array(2 * rowAt.length)
    this.#rowAt.set(rowAt)
    this.#before = new Int32Array(2 * before.length)
    this.#before.set(before)
  }
}
