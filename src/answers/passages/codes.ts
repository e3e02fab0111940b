import { caseFolded, folded } from '../../text/folding.ts'
import { unspaced } from '../../text/words.ts'

const run = String.raw`[[\p{L}\p{N}]--[${unspaced}]]+`
const token = new RegExp(String.raw`${run}(?:[\-_.\/]${run})*`, 'gv')

/** The numbers in a text, and the codes, which are numbers with letters; `alpha_3` is the column of alpha-3. */
export const numbersAndCodesIn = (text: string): string[] =>
  (text.match(token) ?? [])
    .filter((one) => /\p{N}/u.test(one))
    .map((one) =>
      folded(caseFolded(one))
        .replaceAll('_', '-')
        .replace(/^v(?=\d+\.)/, ''),
    )

/** Whether a row has all of these numbers and codes; of `853/tcp` also the parts, and `AX-1077` as `AX1077`. */
export function hasNumbers(asked: readonly string[], row: string): boolean {
  const whole = numbersAndCodesIn(row)
  const held = new Set([...whole.map(joined), ...whole.flatMap((one) => one.split('/'))])
  return asked.every((number) => held.has(joined(number)) || held.has(number))
}

const joined = (code: string): string =>
  /\p{L}/u.test(code) ? code.replaceAll(/[-./]/g, '') : code

/** Of four digits or more, which may be in groups of three. */
const longNumber = /(?<![\p{L}\p{N}])(?:\d{1,3}(?:[.,'’ \u00a0]\d{3})+|\d{4,})(?![\p{L}\p{N}])/gv

const longNumbersIn = (text: string): string[] =>
  (text.match(longNumber) ?? []).map((one) => one.replaceAll(/\D/g, ''))

/** 6.2.1 and 22.04, but no date such as 24.12.2026. */
const numberWithDots = /^(?!\d\d?\.\d\d?\.\d\d(?:\d\d)?$)\d+(?:\.\d+)+$/

const groupedNumber = /^\d{1,3}(?:\.\d{3})+$/

/** Whether a word is `6.2.1`, and not the number `1.000`. */
export const isVersion = (word: string): boolean =>
  numberWithDots.test(word) && !groupedNumber.test(word)

/** The names of single things: tokens with a letter and a digit, such as AX1077, numbers with dots, long numbers. */
export function codesIn(text: string): string[] {
  const codes = numbersAndCodesIn(text).filter(isCode).map(joined)
  return [...codes, ...longNumbersIn(text)]
}

const isCode = (one: string): boolean => /\p{L}/u.test(one) || numberWithDots.test(one)

/** A text without the names of single things in it. */
export const withoutCodes = (text: string): string =>
  text.replace(token, (one) => (codesIn(one).length > 0 ? '' : one))
