const [open, close] = ['<think>', '</think>']
const maxBlanks = 1_000

/** Leaves out what a model thinks before it answers, which some servers send as a part of the answer. */
export class Spoken {
  #held = ''
  #isThinking = false
  #isOver = false

  read(piece: string): string {
    if (this.#isOver) return piece
    this.#held += piece
    if (!this.#isThinking) {
      const begun = this.#held.trimStart()
      if (open.startsWith(begun) && this.#held.length < maxBlanks) return ''
      this.#isThinking = begun.startsWith(open)
      this.#isOver = !this.#isThinking
      if (this.#isOver) return this.#held
    }
    const end = this.#held.indexOf(close)
    const said = end < 0 ? '' : this.#held.slice(end + close.length).trimStart()
    if (end < 0) this.#held = this.#held.slice(-close.length)
    this.#isOver = said !== ''
    return said
  }

  rest(): string {
    return this.#isThinking || this.#isOver ? '' : this.#held
  }
}
