/**
 * Whether a JSON number comes back as it was sent. An integer does when a double gives the same
 * decimal digits; a fraction does unless it is read as zero, for it is known to be rounded. No number
 * may be read as infinite.
 */
export function isKept(literal: string): boolean {
  const value = Number(literal)
  const isShort = literal.length <= digitsOfDouble
  if (isShort && value !== 0 && Number.isFinite(value)) return true
  // What is none is for the parser to refuse.
  if (!jsonNumber.test(literal)) return true
  if (!Number.isFinite(value)) return false
  const sent = toDecimal(literal)
  if (value === 0) return sent.digits === ''
  if (sent.exponent < 0) return true
  const read = toDecimal(String(value))
  return sent.digits === read.digits && sent.exponent === read.exponent
}

/** As many a double always gives back. */
const digitsOfDouble = 15

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

/** Digits without zeros at either end, and the power of ten they are multiplied by. */
function toDecimal(literal: string): { digits: string; exponent: number } {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const all = whole + fraction
  // A pattern such as /0+$/ looks at a run of zeros once for each of them.
  let end = all.length
  while (all[end - 1] === '0') end -= 1
  const digits = all.slice(0, end).replace(/^0+/, '')
  return { digits, exponent: Number(exponent) - fraction.length + all.length - end }
}
