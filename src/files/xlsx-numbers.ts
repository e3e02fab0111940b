import { format as formatted } from 'numfmt'
import { plainNumber, type Shown, shownByStyle } from './xlsx-formats.ts'

const secondsADay = 86_400
/** Day 0, as Excel counts since March 1900. Files of early Macs begin in 1904. */
const firstDays = { windows: Date.UTC(1899, 11, 30), mac: Date.UTC(1904, 0, 1) }
/** The last second of the year 9999, where Excel ends. */
const maxTime = Date.UTC(9999, 11, 31, 23, 59, 59)
/** Excel shows no more; what it computes has more in the file, as in `0.30000000000000004`. */
const digits = 15

export class XlsxNumbers {
  readonly #shown: readonly Shown[]
  readonly #firstDay: number

  constructor(styles: Uint8Array | undefined, startsIn1904: boolean) {
    this.#shown = styles ? shownByStyle(styles) : []
    this.#firstDay = startsIn1904 ? firstDays.mac : firstDays.windows
  }

  /** ISO 8601 with a blank for the T, like `2026-03-05 14:30`; times alone have no day. */
  textOf(written: string, style: number): string {
    return this.textAs(written, this.#shown[style] ?? plainNumber)
  }

  /** The same by a format that is no style. */
  textAs(written: string, { as, format }: Shown): string {
    const value = Number(written)
    if (written === '' || !Number.isFinite(value)) return written
    const seconds = Math.round(value * secondsADay)
    const isOutside = value < 0 || this.#firstDay + seconds * 1000 > maxTime
    if (as === 'number') return asShown(written, value, format)
    if (isOutside) return plain(written, value)
    if (as === 'elapsed' || seconds < secondsADay) return clock(seconds)
    return dayAndTime(this.#firstDay + seconds * 1000)
  }
}

export function textOfDate(written: string): string {
  const time = Date.parse(written.replace(/(?<=T[^Z+-]*)$/, 'Z'))
  return Number.isNaN(time) ? written : dayAndTime(time)
}

/** A format that nobody could read shows the number itself. */
function asShown(written: string, value: number, format: string): string {
  if (/^general$/i.test(format)) return plain(written, value)
  try {
    return formatted(format, value)
  } catch {
    return plain(written, value)
  }
}

/** Programs write long ids with all their digits. */
const plain = (written: string, value: number): string =>
  /^-?\d+$/.test(written) ? written : rounded(value)

const rounded = (value: number): string => String(Number(value.toPrecision(digits)))

function dayAndTime(milliseconds: number): string {
  const day = new Date(milliseconds).toISOString().slice(0, 10)
  const time = Math.round(milliseconds / 1000 - Date.parse(day) / 1000)
  return time === 0 ? day : `${day} ${clock(time)}`
}

function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  if (seconds % 60 > 0) parts.push(seconds % 60)
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
