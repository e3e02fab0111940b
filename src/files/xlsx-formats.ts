import { readPlainXml } from './xml.ts'

/** What a format makes of a number: a day or a time of day, a time that may pass 24 hours, or a number that is written so. */
export type Shown = { as: 'date' | 'elapsed' | 'number'; format: string }

const general = 'General'
/** Excel allows no longer one. */
const maxFormat = 255

export const plainNumber: Shown = { as: 'number', format: general }

export function shownByStyle(styles: Uint8Array): Shown[] {
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

const [whole, hundredths] = ['#,##0', '#,##0.00']
/** Formats that a file names by a number alone (ECMA-376, part 1, 18.8.30). The currency of money is not told. */
const builtIn: Record<number, string> = {
  1: '0',
  2: '0.00',
  3: whole,
  4: hundredths,
  5: whole,
  6: whole,
  7: hundredths,
  8: hundredths,
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  37: whole,
  38: whole,
  39: hundredths,
  40: hundredths,
  41: whole,
  42: whole,
  43: hundredths,
  44: hundredths,
  48: '##0.0E+0',
}

function shownByBuiltIn(id: number): Shown {
  if (id === 46) return { as: 'elapsed', format: '' }
  const ranges = [
    [14, 22],
    [27, 36],
    [45, 47],
    [50, 58],
  ] as const
  const isDate = ranges.some(([min, max]) => id >= min && id <= max)
  return isDate ? { as: 'date', format: '' } : { as: 'number', format: builtIn[id] ?? general }
}

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
