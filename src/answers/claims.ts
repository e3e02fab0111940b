import type { Span } from '../text/span.ts'
import { sentencesOf } from '../text/sentences.ts'

const endOfClaimBefore = /^[\s.,;:!?)\]。，；：！？、）]+/u

/** Finds what the markers of an answer are about, as the answer grows. */
export class Claims {
  #text = ''
  #afterLastMarker = 0
  #last: Span | undefined

  get text(): string {
    return this.#text
  }

  add(text: string): void {
    this.#text += text
  }

  /** The claim of a marker: the last sentence before it, or the claim of the marker right before it. */
  addMarker(marker: string): Span | undefined {
    const since = this.#text.slice(this.#afterLastMarker)
    const sentence = sentencesOf(since).findLast(({ start, end }) =>
      /[\p{L}\p{N}]/u.test(since.slice(start, end)),
    )
    if (sentence) {
      const { start, end } = sentence
      const [left = ''] = endOfClaimBefore.exec(since.slice(start, end)) ?? []
      this.#last = {
        start: this.#afterLastMarker + start + left.length,
        end: this.#afterLastMarker + end,
      }
    }
    this.#text += marker
    this.#afterLastMarker = this.#text.length
    return this.#last
  }
}
