import { maxLengths } from '../../generated/max-lengths.gen.ts'
import { linkTarget } from './link-target.ts'
import { textTooLong } from './refusals.ts'

/** In UTF-16 code units, at most two a character. Dropped white space counts too. */
const maxUnits = 4 * maxLengths.StoredText

/** A number, a letter alone or a unit of length. */
const hasExponent = /(?:\d|(?<!\p{L})(?:\p{L}|[cdkm]m|ft))$/v

export class InlineText {
  #units = 0
  #pieces: string[] = []
  #isRaised = false
  /** Where in the pieces a formula begins, past all of them outside of one. */
  #formula = Infinity
  /** Where in the pieces a link begins, past all of them outside of one. */
  #link = Infinity

  add(piece: string): void {
    this.#units += piece.length
    if (this.#units > maxUnits) throw textTooLong(maxLengths.StoredText)
    if (this.#isRaised && /^\s*[-\u2212]?\d/.test(piece)) this.#pieces.push('^')
    this.#isRaised = false
    this.#pieces.push(piece)
  }

  take(): string {
    this.#link = Infinity
    return this.#pieces.splice(0).join('')
  }

  /** Raises the next text. A raised number is an exponent, unless it is behind a word, as numbers of notes are. */
  raise(): void {
    this.#isRaised = hasExponent.test(this.#pieces.at(-1) ?? '')
  }

  beginFormula(): void {
    this.#formula = this.#pieces.length
  }

  /** Takes the formula as its author typed it, instead of its drawing. */
  typeFormula(): void {
    this.#pieces.length = Math.min(this.#pieces.length, this.#formula)
  }

  endFormula(): void {
    this.#formula = Infinity
  }

  beginLink(): void {
    this.#link = this.#pieces.length
  }

  /** Writes the target of a link behind its words, unless they say it. */
  endLink(href: string): void {
    const words = this.#pieces.slice(this.#link).join('')
    this.#link = Infinity
    const target = linkTarget(href, words)
    if (target !== '') this.add(` (${target})${/\s$/.test(words) ? ' ' : ''}`)
  }
}
