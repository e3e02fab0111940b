import type { Instant } from './instant.ts'

/** A sortable code: digits whose order as text is the order of the values. All codes of a radix are equally long. */
export type Code = { digits: string; radix: 10 | 16 }

const bits = new DataView(new ArrayBuffer(8))

export function codeOfNumber(value: number): Code {
  bits.setFloat64(0, value === 0 ? 0 : value)
  const raw = bits.getBigUint64(0)
  const ordered = raw >> 63n === 1n ? BigInt.asUintN(64, ~raw) : raw | (1n << 63n)
  return { digits: ordered.toString(16).padStart(16, '0'), radix: 16 }
}

/** The number of digits of its code without trailing zeros, or more if it is below 0. */
export function lengthOfNumber(value: number): number {
  bits.setFloat64(0, value)
  const [high, low] = [bits.getUint32(0), bits.getUint32(4)]
  if (value < 0) return 16
  return low === 0 ? 8 - zerosAtEnd(high) : 16 - zerosAtEnd(low)
}

const zerosAtEnd = (half: number): number =>
  half === 0 ? 7 : Math.floor((31 - Math.clz32(half & -half)) / 4)

/** Day, hour, minute, second and microsecond, so that common times end in zeros. */
export function codeOfInstant({ day, microsecond }: Instant): Code {
  const second = microsecond / 1_000_000n
  const parts: [bigint, number][] = [
    [BigInt(day), 7],
    [second / 3_600n, 2],
    [(second / 60n) % 60n, 2],
    [second % 60n, 2],
    [microsecond % 1_000_000n, 6],
  ]
  const digits = parts.map(([part, length]) => String(part).padStart(length, '0')).join('')
  return { digits, radix: 10 }
}

/** The next code up or down. Undefined past the last one. */
export function neighbour({ digits, radix }: Code, step: 1n | -1n): Code | undefined {
  const value = BigInt(radix === 16 ? `0x${digits}` : digits) + step
  const next = value < 0n ? '' : value.toString(radix).padStart(digits.length, '0')
  return next.length === digits.length ? { digits: next, radix } : undefined
}

export const endsOf = ({ digits, radix }: Code): { least: Code; greatest: Code } => ({
  least: { digits: '0'.repeat(digits.length), radix },
  greatest: { digits: (radix === 16 ? 'f' : '9').repeat(digits.length), radix },
})

// A numeric trie: a range finds codes by their prefixes. Trailing zeros, which most codes have, are cut off.

export const exactTerm = ({ digits }: Code): string => `${withoutTrailingZeros(digits)}.`

export function termsOf(code: Code): string[] {
  const digits = withoutTrailingZeros(code.digits)
  const prefixes = Array.from(digits, (_, index) => digits.slice(0, index + 1))
  return [...prefixes, exactTerm(code)]
}

/** The terms of a range. Every code in the range has one of them, and no other code has any. */
export function termsBetween(least: Code, greatest: Code): string[] {
  if (least.digits > greatest.digits) return []
  const prefixes = coveringPrefixes('', least.digits, greatest.digits, least.radix)
  const isWhole = ({ length }: string) => length === least.digits.length
  // A code that continues with zeros only was cut off before.
  const cut = prefixes.filter((one) => isWhole(one) || one.endsWith('0'))
  const exact = cut.map((one) => `${withoutTrailingZeros(one)}.`)
  return [...prefixes.filter((one) => !isWhole(one)), ...exact]
}

/** @param least the digits after the prefix; those of smaller codes have been cut off */
function coveringPrefixes(
  prefix: string,
  least: string,
  greatest: string,
  radix: 10 | 16,
): string[] {
  const last = (radix - 1).toString(radix)
  const isAll = isRepeated(least, '0') && isRepeated(greatest, last)
  if (isAll && prefix !== '') return [prefix]
  const [first, end] = [digitOf(least, radix), digitOf(greatest, radix)]
  return Array.from({ length: end - first + 1 }, (_, index) => first + index).flatMap((digit) =>
    coveringPrefixes(
      prefix + digit.toString(radix),
      digit === first ? least.slice(1) : '0'.repeat(least.length - 1),
      digit === end ? greatest.slice(1) : last.repeat(greatest.length - 1),
      radix,
    ),
  )
}

const digitOf = (digits: string, radix: number): number => Number.parseInt(digits[0]!, radix)

const isRepeated = (digits: string, digit: string): boolean =>
  digits === digit.repeat(digits.length)

function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (end > 1 && digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}
