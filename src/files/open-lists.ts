import { listNumber } from './list-number.ts'

const maxIndentation = 8

export class OpenLists {
  /** Of each open list, the number of its next item and how it is shown; no number where it has bullets. */
  readonly #open: { next?: number | undefined; format: string }[] = []
  #marker = '- '

  /** @param format as `listNumber` takes it */
  begin(first?: number, format = 'decimal'): void {
    this.#open.push({ next: first, format })
  }

  /** @param label what is written in place of the number */
  beginItem(number?: number, label?: string): void {
    const list = this.#open.at(-1) ?? { format: 'decimal' }
    const count = number ?? list.next
    const shown = count === undefined ? '-' : `${listNumber(count, list.format)}.`
    this.#marker = `${label ?? shown} `
    if (count !== undefined) list.next = count + 1
  }

  end(): void {
    this.#open.pop()
  }

  /** What stands before the text of the item, below the text of the item that its list is in. */
  marker(): string {
    const widths = this.#open.slice(0, -1).map(({ next }) => (next === undefined ? 2 : 3))
    const width = widths.reduce((sum, each) => sum + each, 0)
    return ' '.repeat(Math.min(maxIndentation, width)) + this.#marker
  }
}
