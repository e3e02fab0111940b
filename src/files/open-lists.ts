const maxIndentation = 8

export class OpenLists {
  readonly #next: (number | undefined)[] = []
  #marker = '- '

  begin(first?: number): void {
    this.#next.push(first)
  }

  /** @param label what is written in place of the number */
  beginItem(number = this.#next.at(-1), label = number === undefined ? '-' : `${number}.`): void {
    this.#marker = `${label} `
    if (number !== undefined && this.#next.length > 0) this.#next.splice(-1, 1, number + 1)
  }

  end(): void {
    this.#next.pop()
  }

  /** What stands before the text of the item, below the text of the item that its list is in. */
  marker(): string {
    const widths = this.#next.slice(0, -1).map((next) => (next === undefined ? 2 : 3))
    const width = widths.reduce((sum, each) => sum + each, 0)
    return ' '.repeat(Math.min(maxIndentation, width)) + this.#marker
  }
}
