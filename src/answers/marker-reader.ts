/** A piece of text, or the sources that a marker names by their indexes. */
export type Marked =
  | { type: 'text'; text: string }
  | { type: 'marker'; text: string; sources: number[] }

const numbered = String.raw`(?:\^|(?:fragment|source)s?:? )?\d{1,3}(?:\s*[-–]\s*\d{1,3})?`
const numberedList = String.raw`${numbered}(?:\s*(?:[,;&]|,? (?:and|und|et|y)\s)\s*${numbered})*`
const file = String.raw`†[^\]】\n]{0,50}`
/** Also `[^1]`, `[Source 1]`, `[1-3]` and `【1†source】`, as some models write. The numbers of `【4:0†source】` are none of ours. */
const marker = new RegExp(
  String.raw`[\[【［]\s*(?:(${numberedList})\s*(?:${file})?|\d{1,3}:\d{1,3}${file})[\]】］]`,
  'iu',
)
const begunMarker = /[[【［][^\]】］\n]{0,60}$/u
const fromTo = /(\d+)(?:\s*[-–]\s*(\d+))?/g

const maxBlanks = 1_000

const codeSign = /\n[^\S\n]*```|[\n`]/g

/** Finds markers like `[1]` in a text that arrives in pieces. Drops numbers that no source has. */
export class MarkerReader {
  readonly #sourceCount: number
  #held = ''
  /** What is said since the last marker. */
  #said = '\n'
  #isInBlock = false
  #isInLine = false

  constructor(sourceCount: number) {
    this.#sourceCount = sourceCount
  }

  *read(piece: string): Generator<Marked> {
    this.#held += piece
    for (let found = marker.exec(this.#held); found; found = marker.exec(this.#held)) {
      const before = this.#held.slice(0, found.index)
      this.#held = this.#held.slice(found.index + found[0].length)
      this.#said += before
      const isNested = this.#said.endsWith('[')
      const numbers = this.#isInCode() || isNested ? undefined : this.#numbersIn(found[1] ?? '')
      if (numbers) yield* this.#marked(before, numbers)
      else yield* textOf(before + found[0])
    }
    const end = begunMarker.exec(this.#held)?.index ?? this.#held.length
    // Blanks before a dropped marker are dropped too.
    const whole = this.#held.slice(0, end)
    const trimmed = whole.trimEnd()
    const ready = whole.length - trimmed.length > maxBlanks ? whole : trimmed
    this.#said += ready
    yield* textOf(ready)
    this.#held = this.#held.slice(ready.length)
  }

  *rest(): Generator<Marked> {
    yield* textOf(this.#held)
    this.#held = ''
  }

  /** Whether what is said ends within a block of code, or within code in a line. */
  #isInCode(): boolean {
    for (const [sign] of this.#said.matchAll(codeSign)) {
      this.#isInLine = sign === '`' && !this.#isInLine
      if (sign.endsWith('```')) this.#isInBlock = !this.#isInBlock
    }
    this.#said = ''
    return this.#isInBlock || this.#isInLine
  }

  /** The numbers of a marker; undefined where it is none, as `[0-9]`. */
  #numbersIn(list: string): number[] | undefined {
    const numbers: number[] = []
    for (const [, first, last] of list.matchAll(fromTo)) {
      const [from, to] = [Number(first), Number(last ?? first)]
      if (last && (from < 1 || from > to || to > this.#sourceCount)) return undefined
      for (let number = from; number <= to; number++) numbers.push(number)
    }
    return numbers
  }

  *#marked(before: string, numbers: number[]): Generator<Marked> {
    const sources = numbers
      .map((number) => number - 1)
      .filter((index) => index >= 0 && index < this.#sourceCount)
    yield* textOf(sources.length === 0 ? before.trimEnd() : before)
    if (sources.length === 0) return
    const text = sources.map((index) => `[${index + 1}]`).join('')
    yield { type: 'marker', text, sources: [...new Set(sources)] }
  }
}

function* textOf(text: string): Generator<Marked> {
  if (text !== '') yield { type: 'text', text }
}
