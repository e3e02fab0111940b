import { caseFolded, folded, stem } from './folding.ts'
import { numbersIn } from './numbers.ts'
import { isStopWord } from './stop-words.ts'
import { memoized, type Word } from './word.ts'

/** Past the first number, random letters and digits have no parts that mean anything. */
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

/** The words in a text without blanks: runs of letters and digits, their parts, the whole. */
export function wordsOfCompound(written: string): Word[] {
  const runs = (written.match(run) ?? []).flatMap((text) => text.split(scriptStart))
  const [first = ''] = runs
  if (runs.length > 1) return [...runs.flatMap(wordsOfRun), ...wholesOf(written, runs)]
  if (!withSign.test(written)) return wordsOfRun(first)
  const signed: Word = { text: caseFolded(written), kind: 'whole' }
  return [...first].length === 1 ? [signed] : [...wordsOfRun(first), signed]
}

/** Whole addresses and paths hardly ever repeat, and their runs often do. */
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
  const numbers = numbersIn(written)
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
