/** Whether a JSON number comes back as sent: an integer with all its digits, a fraction not as zero. */
export function isRoundTripped(literal: string): boolean {
  const value = Number(literal)
  const isShort = literal.length <= maxSafeDigits
  if (isShort && value !== 0 && Number.isFinite(value)) return true
  if (!jsonNumber.test(literal)) return true
  if (!Number.isFinite(value)) return false
  const sent = toTrimmedDecimal(literal)
  if (value === 0) return sent.digits === ''
  if (sent.exponent < 0) return true
  const read = toTrimmedDecimal(String(value))
  return sent.digits === read.digits && sent.exponent === read.exponent
}

const maxSafeDigits = 15

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

function toTrimmedDecimal(literal: string): { digits: string; exponent: number } {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const all = whole + fraction
  // A pattern such as /0+$/ takes the square of a run of zeros.
  let end = all.length
  while (all[end - 1] === '0') end -= 1
  const digits = all.slice(0, end).replace(/^0+/, '')
  return { digits, exponent: Number(exponent) - fraction.length + all.length - end }
}
