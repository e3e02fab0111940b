import { readPlainXml } from './xml.ts'

/** What a format makes of a number: a day or a time of day, a time that may pass 24 hours, a share of 100, or itself. */
export type Shown = {
  as: 'date' | 'elapsed' | 'percent' | 'number'
  before: string
  after: string
}

/** Excel allows no longer one. */
const maxFormat = 255

const shown = (as: Shown['as']): Shown => ({ as, before: '', after: '' })
export const plainNumber = shown('number')

export function shownByStyle(styles: Uint8Array): Shown[] {
  const formats = new Map<string, Shown>()
  const byStyle: Shown[] = []
  let isOfCells = false
  readPlainXml(styles, {
    onopentag: (name, { numFmtId = '', formatCode = '' }) => {
      if (name === 'numFmt') formats.set(numFmtId, shownBy(formatCode.slice(0, maxFormat)))
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
  if (id === 46) return shown('elapsed')
  if (id === 9 || id === 10) return shown('percent')
  const ranges = [
    [14, 22],
    [27, 36],
    [45, 47],
    [50, 58],
  ] as const
  return ranges.some(([min, max]) => id >= min && id <= max) ? shown('date') : plainNumber
}

/** Quoted text, colours and the width of a letter are no part of a number. */
function shownBy(format: string): Shown {
  const [positive = ''] = format.replace(/"[^"]*"|[\\_*]./g, '').split(';')
  if (/\[(?:h+|m+|s+)\]/i.test(positive)) return shown('elapsed')
  const letters = positive.replace(/\[[^\]]*\]/g, '')
  if (/[dmyhs]/i.test(letters)) return shown('date')
  return letters.includes('%') ? shown('percent') : withCurrency(format)
}

/** `[$€-407]` names a currency and a language; a sign may also stand alone or be quoted. */
const currency = /\[\$(?<named>[^\]\-]+)(?:-[^\]]*)?\]|(?<sign>\p{Sc})/v
const maxCurrency = 5

function withCurrency(format: string): Shown {
  const { index = 0, groups } = currency.exec(format) ?? {}
  const name = (groups?.['named'] ?? groups?.['sign'] ?? '').trim()
  if (name === '' || name.length > maxCurrency) return plainNumber
  const isBefore = index < format.search(/[0#?]/)
  if (!isBefore) return { as: 'number', before: '', after: ` ${name}` }
  return { as: 'number', before: /\p{L}$/v.test(name) ? `${name} ` : name, after: '' }
}
