import type { Span } from '../text/span.ts'
import { sentencesOf } from '../text/sentences.ts'

/** The end of the claim before, or the sign of an item of a list. */
const beforeClaim =
  /(?:[\s.,;:!?)\]。，；：！？、）]|(?<=^[^\S\n]*)(?:[-*+•>]|#{1,6}|\d{1,3}[.)])[^\S\n])+/muy
const behindClaim = /(?:[\s(（]|\s\*\*){1,8}$/u
/** Begins a sentence that tells its source first, as in `According to [1], it opens at nine.` */
const leadIn =
  /^(?:according to|as (?:\p{L}+ )?(?:in|by)|based on|from|in|per|laut|gemäß|selon|d['’]après|según|secondo|segundo|volgens)$/iu
const joint = /^(?:and|or|und|oder|et|ou|y|e|en)?$/iu

const itemStart = /(?:^|\n)[^\S\n]{0,20}(?:[-*+•>]|\d{1,3}[.)])?[^\S\n]{0,20}$/u
const maxItemStart = 50
const goesOnInLine = /^[^\n]*[\p{L}\p{N}]/u

export type Claim = Span & { sources: number[] }

/** Finds what the markers of an answer are about, as the answer grows. */
export class Claims {
  #text = ''
  #afterLastMarker = 0
  #last: Span | undefined
  /** The sources of a sentence that is not told yet, and the one before, if they may be for that. */
  #ahead: number[] = []
  #behind: Span | undefined

  get text(): string {
    return this.#text
  }

  add(text: string): void {
    this.#text += text
  }

  /**
   * The claims that are whole by now: that of this marker is the last sentence before it, or the claim of the
   * marker right before it. That of `According to [1]` follows, as does that of a marker at the start of a line.
   */
  addMarker(marker: string, sources: number[]): Claim[] {
    const since = this.#sinceMarker()
    const last = since.findLast((span) => span !== undefined)
    const said = last ? this.#text.slice(last.start, last.end) : ''
    const isMore = joint.test(said)
    const told = isMore ? [] : this.#toldAhead(since)
    const isAtStart = itemStart.test(this.#text.slice(-maxItemStart))
    this.#text += marker
    this.#afterLastMarker = this.#text.length
    if (leadIn.test(said) || (isMore && this.#ahead.length > 0)) {
      this.#ahead.push(...sources)
      return told
    }
    if (!isMore) this.#last = last
    if (isAtStart) {
      this.#ahead.push(...sources)
      this.#behind = this.#last
      return told
    }
    return this.#last ? [...told, { ...this.#last, sources }] : told
  }

  end(): Claim[] {
    return this.#toldAhead(this.#sinceMarker())
  }

  #toldAhead(since: (Span | undefined)[]): Claim[] {
    const sources = this.#ahead.splice(0)
    const behind = this.#behind
    this.#behind = undefined
    const isBehind = behind && !goesOnInLine.test(this.#text.slice(this.#afterLastMarker))
    const claim = isBehind ? behind : since[0]
    return claim && sources.length > 0 ? [{ ...claim, sources }] : []
  }

  /** The sentences since the last marker; undefined for one without a word. */
  #sinceMarker(): (Span | undefined)[] {
    const since = this.#text.slice(this.#afterLastMarker)
    return sentencesOf(since).map(({ start, end }) => {
      const sentence = since.slice(start, end)
      if (!/[\p{L}\p{N}]/u.test(sentence)) return undefined
      beforeClaim.lastIndex = this.#afterLastMarker + start
      const [left = ''] = beforeClaim.exec(this.#text.slice(0, this.#afterLastMarker + end)) ?? []
      const [right = ''] = behindClaim.exec(sentence) ?? []
      return {
        start: this.#afterLastMarker + start + left.length,
        end: this.#afterLastMarker + end - right.length,
      }
    })
  }
}
