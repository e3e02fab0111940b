import { readXml } from './xml.ts'

/** What a format makes of a number: a day or a time of day, a time that may pass 24 hours, or itself. */
type Shown = 'date' | 'elapsed' | 'number'

const secondsADay = 86_400
/** Day 0, as Excel counts since March 1900. Files of early Macs begin in 1904. */
const firstDays = { windows: Date.UTC(1899, 11, 30), mac: Date.UTC(1904, 0, 1) }
/** The last day of the year 9999, where Excel ends. */
const maxDay = 2_958_465
/** Excel shows no more; what it computes has more in the file, as in `0.30000000000000004`. */
const digits = 15

/** The text of the numbers of a workbook, by the style of their cell. */
export class XlsxNumbers {
  readonly #shown: readonly Shown[]
  readonly #firstDay: number

  constructor(styles: Uint8Array | undefined, startsIn1904: boolean) {
    this.#shown = styles ? shownByStyle(styles) : []
    this.#firstDay = startsIn1904 ? firstDays.mac : firstDays.windows
  }

  /** ISO 8601 with a blank for the T, like `2026-03-05 14:30`; times alone have no day. */
  textOf(written: string, style: number): string {
    const value = Number(written)
    if (written === '' || !Number.isFinite(value)) return written
    const shown = this.#shown[style] ?? 'number'
    if (shown === 'number' || value < 0 || value > maxDay) {
      return String(Number(value.toPrecision(digits)))
    }
    const seconds = Math.round(value * secondsADay)
    if (shown === 'elapsed' || seconds < secondsADay) return clock(seconds)
    const day = new Date(this.#firstDay + seconds * 1000).toISOString().slice(0, 10)
    const time = seconds % secondsADay
    return time === 0 ? day : `${day} ${clock(time)}`
  }
}

function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  if (seconds % 60 > 0) parts.push(seconds % 60)
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

function shownByStyle(styles: Uint8Array): Shown[] {
  const formats = new Map<string, Shown>()
  const byStyle: Shown[] = []
  let isOfCells = false
  readXml(styles, {
    onopentag: (name, { numFmtId = '', formatCode = '' }) => {
      if (name === 'numFmt') formats.set(numFmtId, shownBy(formatCode))
      if (name === 'cellXfs') isOfCells = true
      if (name === 'xf' && isOfCells) {
        byStyle.push(formats.get(numFmtId) ?? shownByBuiltIn(Number(numFmtId)))
      }
    },
    onclosetag: (name) => {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  return byStyle
}

/** Formats that a file names by number alone (ECMA-376, part 1, 18.8.30). */
function shownByBuiltIn(id: number): Shown {
  if (id === 46) return 'elapsed'
  const ranges = [
    [14, 22],
    [27, 36],
    [45, 47],
    [50, 58],
  ] as const
  return ranges.some(([min, max]) => id >= min && id <= max) ? 'date' : 'number'
}

/** Quoted text, colours and the width of a letter are no part of a number. */
function shownBy(format: string): Shown {
  const [positive = ''] = format.replace(/"[^"]*"|[\\_*]./g, '').split(';')
  if (/\[(?:h+|m+|s+)\]/i.test(positive)) return 'elapsed'
  return /[dmyhs]/i.test(positive.replace(/\[[^\]]*\]/g, '')) ? 'date' : 'number'
}
