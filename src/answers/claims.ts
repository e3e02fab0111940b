import type { Span } from '../text/span.ts'
import { sentencesOf } from '../text/sentences.ts'

const endOfClaimBefore = /^[\s.,;:!?)\]。，；：！？、）]+/u
/** Begins a sentence that tells its source first, as in `According to [1], it opens at nine.` */
const leadIn =
  /^(?:according to|as (?:\p{L}+ )?(?:in|by)|based on|from|in|per|laut|gemäß|selon|d['’]après|según|secondo|segundo|volgens)$/iu
const joint = /^(?:and|or|und|oder|et|ou|y|e|en)?$/iu

/** What sources are named for. */
export type Claim = Span & { sources: number[] }

/** Finds what the markers of an answer are about, as the answer grows. */
export class Claims {
  #text = ''
  #afterLastMarker = 0
  #last: Span | undefined
  /** The sources of a sentence that is not told yet. */
  #ahead: number[] = []

  get text(): string {
    return this.#text
  }

  add(text: string): void {
    this.#text += text
  }

  /**
   * The claims that are whole by now: that of this marker is the last sentence before it, or the claim of the
   * marker right before it. That of `According to [1]` follows.
   */
  addMarker(marker: string, sources: number[]): Claim[] {
    const since = this.#sinceMarker()
    const last = since.findLast((span) => span !== undefined)
    const said = last ? this.#text.slice(last.start, last.end) : ''
    const isMore = joint.test(said)
    const told = isMore ? [] : this.#toldAhead(since)
    this.#text += marker
    this.#afterLastMarker = this.#text.length
    if (leadIn.test(said) || (isMore && this.#ahead.length > 0)) {
      this.#ahead.push(...sources)
      return told
    }
    if (!isMore) this.#last = last
    return this.#last ? [...told, { ...this.#last, sources }] : told
  }

  /** The claim that the text ends with, if its marker came first. */
  end(): Claim[] {
    return this.#toldAhead(this.#sinceMarker())
  }

  #toldAhead([first]: (Span | undefined)[]): Claim[] {
    const sources = this.#ahead.splice(0)
    return first && sources.length > 0 ? [{ ...first, sources }] : []
  }

  /** The sentences since the last marker; undefined for one without a word. */
  #sinceMarker(): (Span | undefined)[] {
    const since = this.#text.slice(this.#afterLastMarker)
    return sentencesOf(since).map(({ start, end }) => {
      const sentence = since.slice(start, end)
      if (!/[\p{L}\p{N}]/u.test(sentence)) return undefined
      const [left = ''] = endOfClaimBefore.exec(sentence) ?? []
      return {
        start: this.#afterLastMarker + start + left.length,
        end: this.#afterLastMarker + end,
      }
    })
  }
}
