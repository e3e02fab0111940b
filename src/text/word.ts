import { caseFolded, folded, stem } from './folding.ts'
import { isStopWord } from './stop-words.ts'

/** A word of a text, or a form of one that people also look for. */
export type Word = {
  text: string
  kind:
    | 'spaced'
    /** A run of letters in a script that is written unspaced. */
    | 'unspaced'
    /** `user` of `getUserName`. */
    | 'part'
    /** `wifi` of `Wi-Fi`, `2.17.5` of `v2.17.5`, `c++`. */
    | 'whole'
    /** An emoji, a currency, an operator. */
    | 'sign'
}

const maxTexts = 20_000
const maxLength = 32

/** Remembers results of `make`. Few words make most of a text, so they are soon known again after a `clear`. */
export function memoized<Made>(make: (text: string) => Made): (text: string) => Made {
  const known = new Map<string, Made>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = make(text)
    if (text.length <= maxLength) {
      if (known.size === maxTexts) known.clear()
      known.set(text, made)
    }
    return made
  }
}

/** Random letters and digits, as of an id, have many short parts that mean nothing. */
const maxShortParts = 3
const maxParts = 8
const minMeanLengthOfParts = 1.25
/** A UUID has five runs and 32 characters. */
const maxRuns = 6
const maxLengthOfWhole = 40

const partStart =
  /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}.)|(?<=[\p{L}\p{M}])(?=\p{Nd})|(?<=\p{Nd})(?=\p{L})/v
const scriptStart =
  /(?<=\p{sc=Latin})(?=[\p{L}--\p{sc=Latin}])|(?<=[\p{L}--\p{sc=Latin}])(?=\p{sc=Latin})/v
const simple = /^(?:[\p{Lu}\p{Lt}]?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}+|\d+)$/v
const run = /[[\p{L}\p{M}\p{N}]--[ʻʼ]]+/gv
const apostrophe = /['’‘ʻʼ]/v
const withSign = /^\.|[+#]|&/v

export function wordsOfCompound(written: string): Word[] {
  const runs = (written.match(run) ?? []).flatMap((text) => text.split(scriptStart))
  const [first = ''] = runs
  if (runs.length > 1) return [...runs.flatMap(wordsOfRun), ...wholesOf(written, runs)]
  if (!withSign.test(written)) return wordsOfRun(first)
  const signed: Word = { text: caseFolded(written), kind: 'whole' }
  return [...first].length === 1 ? [signed] : [...wordsOfRun(first), signed]
}

/** Runs of addresses and paths often repeat, unlike whole ones. */
const wordsOfRun = memoized((text): Word[] => [
  { text: caseFolded(text), kind: 'spaced' },
  ...partsOf(text).map((part): Word => ({ text: caseFolded(part), kind: 'part' })),
])

function partsOf(text: string): string[] {
  if (simple.test(text)) return []
  const parts = text.split(partStart)
  const max = text.length < minMeanLengthOfParts * parts.length ? maxShortParts : maxParts
  return parts.length > 1 && parts.length <= max ? parts : []
}

function wholesOf(written: string, runs: readonly string[]): Word[] {
  const signed = withSign.test(written) ? [written] : []
  const numbers = numbersOf(written)
  const texts = new Set([...signed, ...numbers, ...joined(written, runs)].map(caseFolded))
  return Array.from(texts, (text) => ({ text, kind: 'whole' }))
}

/** The runs as one word, unless that adds nothing, as for `dog's` and `don't`. */
function joined(written: string, runs: readonly string[]): string[] {
  if (runs.length > maxRuns) return []
  const whole = runs.join('')
  if (whole.length > maxLengthOfWhole || /^\d+$/v.test(whole)) return []
  const isShortened = apostrophe.test(written) && runs.every((text) => isStopWord(caseFolded(text)))
  return isShortened || stemOf(whole) === stemOf(runs[0]!) ? [] : [whole]
}

const stemOf = (text: string): string => stem(folded(caseFolded(text)))

const dotted = /(?<!\d)\d+(?:[.,]\d+)+(?!\d)/g
const grouped = /^\d{1,3}(?:[ .,'’]\d{3})+$/v
const groupedAmount = /^(\d{1,3}(?:[ .,'’]\d{3})+)[.,]\d{1,2}$/v
const onlyNumber = /^\d[\d \(\).,'’\/\-‐‑_]*$/v
/** A telephone number has at most 15 digits. */
const maxDigits = 15
const minDigits = 5
const maxGroups = 5

/** `1,000`, `1 000` and `1,000.00` as `1000`, `v2.17.5` as `2.17.5`, a telephone number by its digits alone. */
const numbersOf = (compound: string): string[] =>
  [digitsOf(compound), ...(compound.match(dotted) ?? []).map(versionsOf)].flat()

/** `2.17.5`, and `2.17.`, by which a query for 2.17 finds it. */
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
