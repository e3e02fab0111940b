import { caseFolded, folded } from './folding.ts'
import { numbersIn } from './numbers.ts'
import { stem } from './stem.ts'
import { isStopWord } from './stop-words.ts'
import type { Word } from './word.ts'

/** Past the first number, random letters and digits have no parts that mean anything. */
const maxShortParts = 3
const maxParts = 8
const minMeanLengthOfParts = 1.25
/** A UUID has five runs and 32 characters. */
const maxRuns = 6
const maxLengthOfWhole = 40

/** `getUserName`, `HTMLParser`, `512GB`, `x86`. */
const partStart =
  /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}.)|(?<=[\p{L}\p{M}])(?=\p{Nd})|(?<=\p{Nd})(?=\p{L})/v
/** `USB케이블`. */
const scriptStart =
  /(?<=\p{sc=Latin})(?=[\p{L}--\p{sc=Latin}])|(?<=[\p{L}--\p{sc=Latin}])(?=\p{sc=Latin})/v
const simple = /^(?:[\p{Lu}\p{Lt}]?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}+|\d+)$/v
const run = /[[\p{L}\p{M}\p{N}]--[ʻʼ]]+/gv
const withSign = /^\.|[+#]|&/v

/** The words in what was written without a blank: each run of letters and digits, its parts, and the whole. */
export function wordsOfCompound(found: string): Word[] {
  const runs = (found.match(run) ?? []).flatMap((text) => text.split(scriptStart))
  const spaced = runs.flatMap((text): Word[] => [
    { text: caseFolded(text), kind: 'spaced' },
    ...partsOf(text).map((part): Word => ({ text: caseFolded(part), kind: 'part' })),
  ])
  if (runs.length === 1 && !withSign.test(found)) return spaced
  const isLetterWithSign = runs.length === 1 && [...runs[0]!].length === 1
  const wholes = wholesOf(found, runs)
  return [...(isLetterWithSign ? [] : spaced), ...newAmong(wholes, spaced)]
}

function partsOf(text: string): string[] {
  if (simple.test(text)) return []
  const parts = text.split(partStart)
  const max = text.length < minMeanLengthOfParts * parts.length ? maxShortParts : maxParts
  return parts.length > 1 && parts.length <= max ? parts : []
}

function wholesOf(found: string, runs: readonly string[]): string[] {
  const signed = withSign.test(found) ? [found] : []
  const joined = runs.join('')
  const isWord = runs.length > 1 && runs.length <= maxRuns && joined.length <= maxLengthOfWhole
  const isSaying = isWord && !/^\d+$/v.test(joined) && !runs.map(caseFolded).every(isStopWord)
  return [...signed, ...numbersIn(found), ...(isSaying ? [joined] : [])].map(caseFolded)
}

/** The wholes that are more than another form of a word that is there, such as `dog's` of `dog`. */
function newAmong(wholes: string[], known: Word[]): Word[] {
  const stems = new Set(known.map(({ text }) => stemOf(text)))
  return [...new Set(wholes)]
    .filter((text) => !stems.has(stemOf(text)))
    .map((text) => ({ text, kind: 'whole' }))
}

const stemOf = (text: string): string => stem(folded(text))
