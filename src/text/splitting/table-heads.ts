import { areRows, beginsWithHead } from '../table-lines.ts'
import type { Span } from './kept-together.ts'

/** Enough lines to tell a table by. */
const maxLines = 12
/** A table is known by its beginning, for it may be a megabyte. */
const maxBeginning = 4_000

/** Finds the heads of tables that are cut, going through a text once. */
export class TableHeads {
  readonly #text: string
  #paragraph = 0
  #head: Span | undefined

  constructor(text: string) {
    this.#text = text
    this.#head = headOf(text, 0)
  }

  /**
   * The head of the table that goes on at the beginning of a line, with the rule below it; undefined where none
   * does, or where the head stands. Places must rise.
   */
  at(start: number): Span | undefined {
    this.#goOn(start)
    const isAtLine = this.#text[start - 1] === '\n'
    return isAtLine && this.#head && this.#head.end <= start ? this.#head : undefined
  }

  #goOn(start: number): void {
    let begins: number | undefined
    for (;;) {
      const blank = this.#text.indexOf('\n\n', begins ?? this.#paragraph)
      if (blank < 0 || blank + 2 > start) break
      begins = blank + 2
    }
    if (begins === undefined) return
    this.#paragraph = begins
    this.#head = headOf(this.#text, begins)
  }
}

function headOf(text: string, start: number): Span | undefined {
  const beginning = text.slice(start, start + maxBeginning)
  const [paragraph = ''] = beginning.split(/\n[ \t]*\n/, 1)
  const lines = paragraph.split('\n').slice(0, maxLines)
  const [first = '', second = '', ...others] = lines
  if (first.includes('|') && rule.test(second)) {
    return { start, end: start + first.length + 1 + second.length }
  }
  // The last line may be cut.
  const whole = beginning.length < maxBeginning ? lines : [first, second, ...others].slice(0, -1)
  const isTable = areRows(whole) && beginsWithHead(whole)
  return isTable ? { start, end: start + first.length } : undefined
}

const rule = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*$/
