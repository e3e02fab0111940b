import {
  areRows,
  beginsWithHead,
  firstRecordsAt,
  mayBeginWithHead,
  separatorLine,
} from '../table-lines.ts'
import type { Span } from '../span.ts'

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
  const [line = ''] = text.slice(from, from + 8).split(/(?<=\n)/, 1)
  const start = behindComments(text, from + (separatorLine.test(line.trimEnd()) ? line.length : 0))
  const records = firstRecordsAt(text, start)
  const [first = '', second = ''] = records
  if (first.includes('|') && rule.test(second)) {
    return { start, end: start + first.length + 1 + second.length }
  }
  const isTable = areRows(records) && (beginsWithHead(records) || mayBeginWithHead(records))
  return isTable ? { start, end: start + first.length } : undefined
}

/** The last of several lines that begin with `#` may be the head, as `#code	name` is. */
function behindComments(text: string, from: number): number {
  let start = from
  let next = from
  while (text[next] === '#') {
    start = next
    next = text.indexOf('\n', start) + 1
    if (next === 0) break
  }
  return start
}

const rule = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*\r?$/
