/** A piece of text, or the sources that a marker names by their indexes. */
export type Marked =
  | { type: 'text'; text: string }
  | { type: 'marker'; text: string; sources: number[] }

const marker = /[[【]\s*(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\s*[\]】]/u
const begunMarker = /[[【][\d\s,;]{0,40}$/u

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
      if (this.#isInCode() || isNested) yield* textOf(before + found[0])
      else yield* this.#marked(before, found[1]!)
    }
    const end = begunMarker.exec(this.#held)?.index ?? this.#held.length
    // Blanks before a dropped marker are dropped too.
    const ready = this.#held.slice(0, end).trimEnd()
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

  *#marked(before: string, numbers: string): Generator<Marked> {
    const sources = numbers
      .split(/[,;]/)
      .map((number) => Number(number) - 1)
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
