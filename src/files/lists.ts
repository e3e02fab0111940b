const letters = 26

/** @param format as Word names it, or `lowerAlpha` and `upperAlpha` of HTML; an unknown one is decimal */
export function listNumber(count: number, format: string): string {
  if (format === 'none') return ''
  if (format === 'decimalZero') return String(count).padStart(2, '0')
  if (format === 'upperRoman') return roman(count)
  if (format === 'lowerRoman') return roman(count).toLowerCase()
  if (format === 'upperAlpha') return alpha(count)
  if (format === 'lowerAlpha') return alpha(count).toLowerCase()
  if (format !== 'upperLetter' && format !== 'lowerLetter') return String(count)
  const letter = String.fromCharCode(65 + ((count - 1) % letters))
  const text = letter.repeat(Math.min(letters, Math.ceil(count / letters)))
  return format === 'upperLetter' ? text : text.toLowerCase()
}

/** Behind Z comes AA, and then AB. Word writes BB. */
function alpha(count: number): string {
  if (count < 1) return String(count)
  const before = count > letters ? alpha(Math.floor((count - 1) / letters)) : ''
  return before + String.fromCharCode(65 + ((count - 1) % letters))
}

const numerals: [string, number][] = [
  ['M', 1000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
]
const maxRoman = 3_999

function roman(count: number): string {
  if (count < 1 || count > maxRoman) return String(count)
  let [text, rest] = ['', count]
  for (const [numeral, value] of numerals) {
    while (rest >= value) [text, rest] = [text + numeral, rest - value]
  }
  return text
}

/** Counts on at a level, from `first` if it is given, and begins anew below it. */
export function countOn(
  counts: number[],
  levels: readonly { start: number }[],
  level: number,
  first: number | undefined,
): void {
  const startOf = (place: number) => levels[place]?.start ?? 1
  const before = counts[level]
  counts[level] = first ?? (before === undefined ? startOf(level) : before + 1)
  counts.length = level + 1
  for (let above = 0; above < level; above++) counts[above] ??= startOf(above)
}

const maxIndentation = 8

export class OpenLists {
  /** Of each open list, the number of its next item and how it is shown; no number where it has bullets. */
  readonly #open: { next?: number | undefined; format: string }[] = []
  #marker = '- '

  /** @param format as `listNumber` takes it */
  begin(first?: number, format = 'decimal'): void {
    this.#open.push({ next: first, format })
  }

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
