import type { Citation } from '../../generated/types.gen.ts'
import { type Answerer, type AnswerPart, declining, noUsage, type Task } from './answerer.ts'
import type { BestPassage } from './passages/best-passage.ts'
import type { Span } from '../text/span.ts'
import { isDefinition } from './passages/command-options.ts'
import { announces, maxLength, type Part, partAbove } from './passages/part.ts'
import type { Passage } from './passages/passages.ts'

const separator = '\n'

/** Answers with one passage of a source, word for word. The name tells how it is chosen. */
export class ExtractiveAnswerer implements Answerer {
  readonly model = 'extractive-1'

  answer(task: Task): AsyncGenerator<AnswerPart> {
    const { passage } = task
    // Sources may hold only questions, which are no answer.
    return passage ? this.#quote(passage) : declining(task, this.model)
  }

  async *#quote(best: BestPassage): AsyncGenerator<AnswerPart> {
    const { text: whole, placeOf, parts } = best.text
    let end = 0
    for (const span of quotedSpans(whole, parts, best.passage)) {
      const text = whole.slice(span.start, span.end)
      const start = end === 0 ? 0 : end + separator.length
      yield { type: 'answer', delta: end === 0 ? text : separator + text }
      end = start + text.length
      const from = placeOf(span.start)
      const quote = { text, start: from, end: from + text.length }
      const citation: Citation = { start, end, source: best.source, quote, support: 1 }
      yield { type: 'citation', citation }
    }
    yield { type: 'end', model: this.model, finishReason: 'stop', usage: noUsage }
  }
}

/** A shorter passage says little without the paragraphs after it. */
const minLength = 250

/** Code is quoted whole, so there is more room for what a paragraph announces. */
const maxLengthWithCode = 2 * maxLength

/**
 * The quoted spans of a passage: a row with the head of its table, a comment alone, else one span, and its heading
 * if an anchor stands between.
 */
function quotedSpans(text: string, parts: readonly Part[], passage: Passage): Span[] {
  const { part, start, end } = passage
  const { kind, head } = parts[part]!
  if (kind === 'row') return [...(parts[head] ? [parts[head]] : []), { start, end }]
  if (kind === 'comment') return [{ start, end }]
  const quoted = new Quoted(text, parts, passage)
  if (end === parts[part]!.end) quoted.growDown()
  if (start === parts[part]!.start) quoted.growUp()
  const above = partAbove(text, parts, part)
  const heading = above < part - 1 && parts[above]?.kind === 'heading' ? [parts[above]] : []
  // AsciiDoc joins the paragraphs of an item by lines of `+`.
  const said = text.slice(quoted.start, quoted.end).replace(/\s*\n\+$/, '')
  return [...heading, { start: quoted.start, end: quoted.start + said.length }]
}

/** A span that takes in whole parts above and below it, as long as there is room. */
class Quoted {
  start: number
  end: number
  readonly #text: string
  readonly #parts: readonly Part[]
  #first: number
  #last: number

  constructor(text: string, parts: readonly Part[], { start, end, part }: Passage) {
    this.start = start
    this.end = end
    this.#text = text
    this.#parts = parts
    this.#first = part
    this.#last = part
  }

  growUp(): void {
    const isList =
      bullet.test(this.#textOf(this.#first)) && !bullet.test(this.#textOf(this.#first - 1))
    if (isList || this.#parts[this.#first]!.kind === 'code') this.#takeAbove('text')
    this.#takeAbove('heading')
  }

  growDown(): void {
    if (announces.test(this.#text.slice(this.start, this.end))) this.#takeAnnounced()
    while (
      this.end - this.start < minLength &&
      !this.#isWhole() &&
      this.#takeBelow(['text', 'code'])
    );
  }

  /** The meaning of an option ends where that of the next begins. */
  #isWhole(): boolean {
    const below = this.#parts[this.#last + 1]
    const isNext = below !== undefined && isDefinition(this.#text.slice(below.start, below.end))
    return isNext && isDefinition(this.#text.slice(this.#parts[this.#first]!.start, this.end))
  }

  #takeAnnounced(): void {
    if (this.#takeBelow(['code'], maxLengthWithCode)) return
    if (this.#takeBelow(['head', 'row'])) while (this.#takeBelow(['row']));
    else if (this.#takeBelow(['text']))
      while (this.#isItem(this.#last + 1) && this.#takeBelow(['text']));
    else this.#takeLinesBelow()
  }

  #isItem(part: number): boolean {
    return listItem.test(this.#textOf(part))
  }

  #textOf(part: number): string {
    const { start, end } = this.#parts[part] ?? { start: 0, end: 0 }
    return this.#text.slice(start, end)
  }

  #takeAbove(kind: Part['kind']): void {
    const above = this.#parts[this.#first - 1]
    if (above?.kind !== kind || this.end - above.start > maxLength) return
    this.start = above.start
    this.#first -= 1
  }

  #takeBelow(kinds: Part['kind'][], max = maxLength): boolean {
    const below = this.#parts[this.#last + 1]
    if (!below || !kinds.includes(below.kind) || below.end - this.start > max) return false
    this.end = below.end
    this.#last += 1
    return true
  }

  #takeLinesBelow(): void {
    const below = this.#parts[this.#last + 1]
    // Code that is cut would lose the fence that closes it.
    if (below?.kind !== 'text') return
    const feed = this.#text.lastIndexOf('\n', this.start + maxLength)
    if (feed > below.start) this.end = this.#text.slice(0, feed).trimEnd().length
  }
}

/** `-x` may also be an option, whose meaning needs nothing from above. */
const bullet = /^(?:[-*+•]|\d+[.)])\s/
const listItem = /^(?:(?:[-*+•]|\d+[.)])\s|-\p{L})/u
