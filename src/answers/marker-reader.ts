/** A piece of text, or the sources that a marker names by their indexes. */
export type Marked =
  | { type: 'text'; text: string }
  | { type: 'marker'; text: string; sources: number[] }

const marker = /[[【]\s*(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\s*[\]】]/u
const begunMarker = /[[【][\d\s,;]{0,40}$/u

/** Finds markers like `[1]` in a text that arrives in pieces. Drops numbers that no source has. */
export class MarkerReader {
  readonly #sourceCount: number
  #held = ''
  #said = ''

  constructor(sourceCount: number) {
    this.#sourceCount = sourceCount
  }

  *read(piece: string): Generator<Marked> {
    this.#held += piece
    for (let found = marker.exec(this.#held); found; found = marker.exec(this.#held)) {
      const before = this.#held.slice(0, found.index)
      this.#held = this.#held.slice(found.index + found[0].length)
      const said = this.#said + before
      if (said.endsWith('[') || isInCode(said)) yield* this.#say(before + found[0])
      else yield* this.#marked(before, found[1]!)
    }
    const end = begunMarker.exec(this.#held)?.index ?? this.#held.length
    // Blanks before a dropped marker are dropped too.
    const ready = this.#held.slice(0, end).trimEnd()
    yield* this.#say(ready)
    this.#held = this.#held.slice(ready.length)
  }

  *rest(): Generator<Marked> {
    yield* this.#say(this.#held)
    this.#held = ''
  }

  *#say(text: string): Generator<Marked> {
    this.#said += text
    if (text !== '') yield { type: 'text', text }
  }

  *#marked(before: string, numbers: string): Generator<Marked> {
    const sources = numbers
      .split(/[,;]/)
      .map((number) => Number(number) - 1)
      .filter((index) => index >= 0 && index < this.#sourceCount)
    if (sources.length === 0) {
      yield* this.#say(before.trimEnd())
    } else {
      yield* this.#say(before)
      const text = sources.map((index) => `[${index + 1}]`).join('')
      yield { type: 'marker', text, sources: [...new Set(sources)] }
    }
  }
}

const fence = /^\s*```/gm

/** Whether a text ends within a block of code, or within code in a line. */
function isInCode(text: string): boolean {
  if ((text.match(fence)?.length ?? 0) % 2 === 1) return true
  const line = text.slice(text.lastIndexOf('\n') + 1).replace(fence, '')
  return line.split('`').length % 2 === 0
}
