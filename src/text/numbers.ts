const dotted = /(?<!\d)\d+(?:[.,]\d+)+(?!\d)/g
const grouped = /^\d{1,3}(?:[ .,'’]\d{3})+$/v
const groupedAmount = /^(\d{1,3}(?:[ .,'’]\d{3})+)[.,]\d{1,2}$/v
const onlyNumber = /^\d[\d \(\).,'’\/\-‐‑_]*$/v
/** A telephone number has at most 15 digits. */
const maxDigits = 15
const minDigits = 5
const maxGroups = 5

/** `1,000`, `1 000` and `1,000.00` as `1000`, `v2.17.5` as `2.17.5`, a telephone number by its digits alone. */
export const numbersIn = (compound: string): string[] =>
  [digitsOf(compound), ...(compound.match(dotted) ?? []).map(versionsOf)].flat()

/** `2.17.5`, and `2.17.`, which says that it is one of those. */
function versionsOf(number: string): string[] {
  const groups = number.split(/[.,]/)
  const beginnings = groups.slice(2, maxGroups).map((_, index) => groups.slice(0, index + 2))
  return [groups.join('.'), ...beginnings.map((beginning) => `${beginning.join('.')}.`)]
}

function digitsOf(compound: string): string[] {
  if (!onlyNumber.test(compound)) return []
  const digits = compound.replace(/\D/g, '')
  const isOne = grouped.test(compound) || digits.length >= minDigits
  const [, whole = ''] = groupedAmount.exec(compound) ?? []
  const numbers = whole ? [whole.replace(/\D/g, ''), digits] : [digits]
  return isOne && digits.length <= maxDigits ? numbers : []
}

/** Tokens of other numbers that are meant: versions that begin with one, telephone numbers without codes. */
export const otherNumbersOf = (texts: string[]): string[] =>
  texts.flatMap((text) => (version.test(text) ? `${text}.` : withoutCodes(text)))

const version = /^\d+(?:\.\d+)+$/

const telephoneNumber = /^\d{9,15}$/
const maxDigitsOfCodes = 6
const minDigitsOfSubscriber = 7

const telephoneNumberOfAmerica = /^\d{10}$/

/** A telephone number without the codes of country and area, also with a leading 0, or with the code of North America. */
function withoutCodes(number: string): string[] {
  if (!telephoneNumber.test(number)) return []
  const dropped = Math.min(maxDigitsOfCodes, number.length - minDigitsOfSubscriber)
  const ends = Array.from({ length: dropped }, (_, index) => number.slice(index + 1))
  const american = telephoneNumberOfAmerica.test(number) ? [`1${number}`] : []
  return [...american, ...ends.flatMap((end) => [end, `0${end}`])]
}
