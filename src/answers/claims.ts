import type { Span } from '../text/splitting/kept-together.ts'
import { sentencesOf } from '../text/sentences.ts'

/** What ends the claim of the marker before. */
const leftOver = /^[\s.,;:!?)\]。，；：！？、）]+/u

/** Finds what the markers of an answer are about, as the answer grows. */
export class Claims {
  #text = ''
  /** Where the text after the last marker begins. */
  #from = 0
  #last: Span | undefined

  get text(): string {
    return this.#text
  }

  add(text: string): void {
    this.#text += text
  }

  /** The claim of a marker: the last sentence before it, or the claim of the marker right before it. */
  addMarker(marker: string): Span | undefined {
    const since = this.#text.slice(this.#from)
    const sentence = sentencesOf(since).findLast(({ start, end }) =>
      /[\p{L}\p{N}]/u.test(since.slice(start, end)),
    )
    if (sentence) {
      const { start, end } = sentence
      const [left = ''] = leftOver.exec(since.slice(start, end)) ?? []
      this.#last = { start: this.#from + start + left.length, end: this.#from + end }
    }
    this.#text += marker
    this.#from = this.#text.length
    return this.#last
  }
}
