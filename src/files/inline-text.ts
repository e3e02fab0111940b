import { maxLengths } from '../../generated/max-lengths.gen.ts'
import { raisedText } from './exponent.ts'
import { linkTarget } from './link-target.ts'
import { MathText } from './math-text.ts'
import { textTooLong } from './refusals.ts'

/** In UTF-16 code units, at most two a character. Dropped white space counts too. */
const maxUnits = 4 * maxLengths.StoredText

export class InlineText {
  #units = 0
  #pieces: string[] = []
  #beforeRaised: string | undefined
  #formula: MathText | undefined
  /** Where in the pieces a link begins, past all of them outside of one. */
  #link = Infinity
  #leadsInside = false

  add(piece: string): void {
    this.#units += piece.length
    if (this.#units > maxUnits) throw textTooLong(maxLengths.StoredText)
    if (this.#formula) return this.#formula.text(piece)
    const before = this.#beforeRaised
    this.#beforeRaised = undefined
    const leads = this.#leadsInside && this.#pieces.length === this.#link
    this.#pieces.push(before === undefined ? piece : raisedText(before, piece, leads))
  }

  get isLineEnded(): boolean {
    return this.#pieces.at(-1)?.endsWith('\n') ?? true
  }

  take(): string {
    this.#endFormula()
    this.#link = Infinity
    return this.#pieces.splice(0).join('')
  }

  raise(): void {
    this.#beforeRaised = this.#pieces.at(-1) ?? ''
  }

  openMath(name: string): boolean {
    if (name === 'math') this.#formula ??= new MathText()
    this.#formula?.open(name)
    return this.#formula !== undefined
  }

  closeMath(name: string): boolean {
    const isOfFormula = this.#formula !== undefined
    this.#formula?.close()
    if (name === 'math') this.#endFormula()
    return isOfFormula
  }

  #endFormula(): void {
    const formula = this.#formula
    this.#formula = undefined
    if (formula) this.add(formula.end())
  }

  /** @param leadsInside whether to another place of the text, such as a note */
  beginLink(leadsInside = false): void {
    this.#link = this.#pieces.length
    this.#leadsInside = leadsInside
  }

  /** Writes the target of a link behind its words, unless they say it. */
  endLink(href: string): void {
    const words = this.#pieces.slice(this.#link).join('')
    this.#link = Infinity
    this.#leadsInside = false
    const target = linkTarget(href, words)
    if (target !== '') this.add(` (${target})${/\s$/.test(words) ? ' ' : ''}`)
  }
}
