import type { Code } from './ordered-code.ts'

// A code is found in a range by its prefixes, as in a trie. Trailing zeros, which most codes have, are cut off.

export const exactTerm = ({ digits }: Code): string => `${withoutTrailingZeros(digits)}.`

export function termsOf(code: Code): string[] {
  const digits = withoutTrailingZeros(code.digits)
  const beginnings = Array.from(digits, (_, index) => digits.slice(0, index + 1))
  return [...beginnings, exactTerm(code)]
}

/** The terms of a range. Every code in the range has one of them, and no other code has any. */
export function termsBetween(least: Code, greatest: Code): string[] {
  if (least.digits > greatest.digits) return []
  const beginnings = cover('', least.digits, greatest.digits, least.radix)
  const isWhole = ({ length }: string) => length === least.digits.length
  // A code that continues with zeros only was cut off before.
  const cut = beginnings.filter((one) => isWhole(one) || one.endsWith('0'))
  const exact = cut.map((one) => `${withoutTrailingZeros(one)}.`)
  return [...beginnings.filter((one) => !isWhole(one)), ...exact]
}

/** @param least the digits after the prefix; those of smaller codes have been cut off */
function cover(beginning: string, least: string, greatest: string, radix: 10 | 16): string[] {
  const last = (radix - 1).toString(radix)
  const isAll = isRepeated(least, '0') && isRepeated(greatest, last)
  if (isAll && beginning !== '') return [beginning]
  const [first, end] = [digitOf(least, radix), digitOf(greatest, radix)]
  return Array.from({ length: end - first + 1 }, (_, index) => first + index).flatMap((digit) =>
    cover(
      beginning + digit.toString(radix),
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
