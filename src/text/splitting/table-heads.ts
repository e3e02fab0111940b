import { areRows, beginsWithHead, mayBeginWithHead } from '../table-lines.ts'
import type { Span } from '../span.ts'

const maxLines = 12
/** A table is recognized by its beginning, because it may be a megabyte. */
const maxBeginning = 4_000

/** Finds the heads of tables that are cut, going through a text once. */
export class TableHeads {
  readonly #text: string
  readonly #breaks: Iterator<RegExpExecArray>
  #nextBreak: RegExpExecArray | undefined
  #head: Span | undefined

  constructor(text: string) {
    this.#text = text
    this.#breaks = text.matchAll(/\n[ \t\r]*\n\s*/g)
    this.#nextBreak = this.#breaks.next().value
    this.#head = headOf(text, 0)
  }

  /** The head and rule of the table that continues at a line; undefined without one or at it. `start` must rise. */
  at(start: number): Span | undefined {
    this.#goOn(start)
    const isAtLine = this.#text[start - 1] === '\n'
    return isAtLine && this.#head && this.#head.end <= start ? this.#head : undefined
  }

  #goOn(start: number): void {
    let paragraph: number | undefined
    while (this.#nextBreak && endOf(this.#nextBreak) <= start) {
      paragraph = endOf(this.#nextBreak)
      this.#nextBreak = this.#breaks.next().value
    }
    if (paragraph !== undefined) this.#head = headOf(this.#text, paragraph)
  }
}

const endOf = ({ 0: found, index }: RegExpExecArray): number => index + found.length

function headOf(text: string, from: number): Span | undefined {
  const [{ length: skipped } = ''] = separatorLine.exec(text.slice(from, from + 8)) ?? []
  const start = from + skipped
  const beginning = text.slice(start, start + maxBeginning)
  const [paragraph = ''] = beginning.split(/\n[ \t\r]*\n/, 1)
  const lines = paragraph.split('\n').slice(0, maxLines)
  const [first = '', second = '', ...others] = lines
  if (first.includes('|') && rule.test(second)) {
    return { start, end: start + first.length + 1 + second.length }
  }
  // The last line may be cut.
  const whole = beginning.length < maxBeginning ? lines : [first, second, ...others].slice(0, -1)
  const isTable = areRows(whole) && (beginsWithHead(whole) || mayBeginWithHead(whole))
  return isTable ? { start, end: start + first.length } : undefined
}

/** Excel writes it above a CSV. */
const separatorLine = /^sep=[^\w\s]\r?\n/i
const rule = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*\r?$/
