import { caseFolded, folded } from '../../text/folding.ts'
import { unspaced } from '../../text/words.ts'
import { wordWeight } from '../../text/stop-words.ts'

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

/** Tells whether a text has a number or a code; of `853/tcp` also the parts, and `AX-1077` as `AX1077`. */
export function numberTest(text: string): (asked: string) => boolean {
  const whole = numbersAndCodesIn(text)
  const held = new Set([...whole.map(joined), ...whole.flatMap((one) => one.split('/'))])
  return (number) => held.has(joined(number)) || held.has(number)
}

/** Whether a row has all of these numbers and codes. */
export const hasNumbers = (asked: readonly string[], row: string): boolean =>
  asked.every(numberTest(row))

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

export const withoutCodes = (text: string): string =>
  text.replace(token, (one) => (codesIn(one).length > 0 ? '' : one))

const numbered =
  /(?<![\p{L}\p{N}])(?<name>\p{L}+)[ \u00a0](?<number>\d+(?:[.,\-\/]\d+){0,8})(?![\p{L}\p{N}])/gv
const numberOfSeveral = /(?<!\d)\d+(?:[.,/-]\d+)+/g
/** A text with fewer other numbers of a name does not count its things: it may be `Node 20`, the least that is needed. */
const minOthers = 2

const withPoint = (text: string): string => text.replaceAll(/(?<=\d),(?=\d)/g, '.')

function numbersByName(text: string): Map<string, Set<string>> {
  const numbers = new Map<string, Set<string>>()
  for (const { groups } of text.matchAll(numbered)) {
    const name = caseFolded(groups!['name']!)
    if (wordWeight(name) === 0) continue
    numbers.set(name, (numbers.get(name) ?? new Set()).add(withPoint(groups!['number']!)))
  }
  return numbers
}

/** Of `3` and `3-5` either may mean the other; `88-299` is another invoice than `88-201`. */
const withStarts = (numbers: ReadonlySet<string>): Set<string> =>
  new Set(
    [...numbers].flatMap((one) =>
      Array.from(one.matchAll(/[/-]|$/g), ({ index }) => one.slice(0, index)),
    ),
  )

/** Whether a row calls another thing by the name of the one that is asked for, as `Room 84` is not room 70. */
export function callsOther(question: string, row: string): boolean {
  const called = numbersByName(row)
  return [...numbersByName(question)].some(([name, numbers]) => {
    const own = called.get(name)
    return own !== undefined && partsOf(own).isDisjointFrom(partsOf(numbers))
  })
}

/** In a row, a comma may also begin the next cell. */
const partsOf = (numbers: ReadonlySet<string>): Set<string> =>
  withStarts(new Set([...numbers].map((one) => one.replaceAll('.', '/'))))

/** Whether the texts tell of rooms 1 and 2 where room 3 is asked for, whose number the passage lacks. */
export function tellOfOthers(question: string, passage: string, texts: readonly string[]): boolean {
  const asked = numbersByName(question)
  if (asked.size === 0) return false
  const said = texts.join('\n')
  const held = numbersByName(said)
  const anywhere = new Set(withPoint(said).match(numberOfSeveral))
  const own = new Set(numbersAndCodesIn(withPoint(passage)))
  return [...asked].some(([name, numbers]) => {
    const others = held.get(name) ?? new Set()
    const isHeld =
      !own.isDisjointFrom(numbers) ||
      !withStarts(others).isDisjointFrom(numbers) ||
      !others.isDisjointFrom(withStarts(numbers)) ||
      [...numbers].some((one) => /[/-]/.test(one) && anywhere.has(one))
    return others.size >= minOthers && !isHeld
  })
}
