import { format as formatted, getFormatFromId } from 'numfmt'
import { readPlainXml } from './xml.ts'

const secondsADay = 86_400
/** Day 0, as Excel counts since March 1900. Files of early Macs begin in 1904. */
const firstDays = { windows: Date.UTC(1899, 11, 30), mac: Date.UTC(1904, 0, 1) }
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

/** What a format makes of a number: a day or a time of day, a time that may pass 24 hours, or a number that is written so. */
export type Shown = { as: 'date' | 'elapsed' | 'number'; format: string }

const maxFormat = 255

export const plainNumber: Shown = { as: 'number', format: 'General' }

function shownByStyle(styles: Uint8Array): Shown[] {
  const formats = new Map<string, Shown>()
  const byStyle: Shown[] = []
  let isOfCells = false
  readPlainXml(styles, {
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

/** Formats that a file names by a number alone (ECMA-376, part 1, 18.8.30). The currency of money is not told. */
function shownByBuiltIn(id: number): Shown {
  if ([5, 6, 37, 38, 41, 42].includes(id)) return shownBy('#,##0')
  if ([7, 8, 39, 40, 43, 44].includes(id)) return shownBy('#,##0.00')
  const isKnown = id >= 0 && id <= maxBuiltIn && id !== text
  return isKnown ? shownBy(getFormatFromId(id)) : plainNumber
}

/** Those behind it are of Thai. */
const maxBuiltIn = 58
const text = 49

export function shownBy(code: string): Shown {
  const format = code.slice(0, maxFormat)
  // Quoted text, colours and the width of a letter are no part of a number.
  const [positive = ''] = format.replace(/"[^"]*"|[\\_*]./g, '').split(';')
  if (/\[(?:h+|m+|s+)\]/i.test(positive)) return { as: 'elapsed', format }
  const letters = positive.replace(/\[[^\]]*\]/g, '').replace(/general/gi, '')
  if (/[dmyhs]/i.test(letters)) return { as: 'date', format }
  return { as: 'number', format: format.replace(languages, '$<currency>]') }
}

/** `[$€-407]` names a currency and a language, which Excel takes for dates alone. */
const languages = /(?<currency>\[\$[^\]-]*)-[^\]]*\]/g
