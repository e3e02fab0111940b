import { LRUCache } from 'lru-cache'
import { wordsOfCompound, memoized, type Word } from './word.ts'
import { caseFolded, folded, stem } from './folding.ts'
import { isStopWord, stopLetters } from './stop-words.ts'

/** One character can become 18 in its compatibility form, so a query of them would take 18 times as long. */
const maxLengthOfForm = (text: string): number => 2 * text.length + 64

const ascii = /^\p{ASCII}*$/v
const isAscii = (text: string): boolean => ascii.test(text)

/** As Unicode Technical Standard 51 defines it, without characters that also stand for themselves. */
const emojiPart = String.raw`\p{Extended_Pictographic}(?:\p{EMod}|\uFE0F|[\u{E0020}-\u{E007E}]+\u{E007F})?`
const emoji = String.raw`\p{RI}\p{RI}|${emojiPart}(?:\u200D${emojiPart})*`

/** Persian parts the pieces of a word by U+200C, as others do by a hyphen. */
export const invisible = new RegExp(
  String.raw`(${emoji}|(?<=\p{sc=Arabic})\u200C(?=\p{sc=Arabic}))|[\p{Default_Ignorable_Code_Point}\p{Cf}\u0640]`,
  'gv',
)
export const otherDigit = /[\p{Nd}--[0-9]]/gv

/** In Unicode's compatibility form, digits of any script as 0 to 9, without what nobody sees. */
function plainText(text: string): string {
  if (isAscii(text)) return text
  return text
    .normalize('NFKC')
    .slice(0, maxLengthOfForm(text))
    .replace(invisible, (_all, kept?: string) => kept?.replaceAll('\uFE0F', '') ?? '')
    .replace(otherDigit, digitOf)
}

const isDigit = (codePoint: number): boolean => /\p{Nd}/v.test(String.fromCodePoint(codePoint))

/** The digits of a script are consecutive code points from its zero. */
export function digitOf(digit: string): string {
  const codePoint = digit.codePointAt(0)!
  let value = 0
  while (value < 9 && isDigit(codePoint - value - 1)) value++
  return String(value)
}

/** The scripts that are written without spaces, as a class of a regular expression. */
export const unspaced = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`
const letter = String.raw`[[\p{L}\p{M}\p{N}]--[${unspaced}ʻʼ]]`
/** `1 000`, `1 000,00`, `(030) 123 456`, where neither group is a number by itself. */
const groupJoint = String.raw`(?<=(?<![\p{L}\d.,:\/])\d{1,4})(?:\)? \(?)(?=\d{2,7}(?![\d\p{L}]|[.,:\/]\d|(?<=\d{4})-\d)|\d{3},\d\d(?!\d))`
/** Joins the letters on both sides; also a hyphen at the end of a line. */
const joint = String.raw`[\-‐‑־._\/\&'’‘ʻʼ·\u200C](?:(?<=-)\n *)?|(?<=\d),(?=\d)|${groupJoint}|(?<=\p{sc=Hebrew})["״׳](?=\p{sc=Hebrew})`
const compound = String.raw`(?:(?<![\p{L}\p{N}.])\.(?=\p{L}))?${letter}+(?:(?:${joint})${letter}+)*(?:(?<=\p{L})(?:\+\+(?!\p{L})|[+#](?![\p{L}\p{N}+#])))?`
const operator = String.raw`(?<![\p{P}\p{S}])[!%\&*+\-\/:<=>?\^\|~]{2,3}(?![\p{P}\p{S}])|(?<!\S)[%\&+\/<=>\^~](?!\S)`
const sign = String.raw`(?=[\p{S}%!?\/:*\-]|&)(?:${emoji}|\p{Sc}|%|[\p{So}--[\u2500-\u259F]]|[\p{Sm}--\p{ASCII}]|${operator})`
export const wordPattern = new RegExp(
  String.raw`${compound}|[[\p{L}\p{M}\p{N}]&&[${unspaced}]]+|${sign}`,
  'gv',
)
const startsUnspaced = new RegExp(`^[${unspaced}]`, 'v')
const startsWord = /^\.?[\p{L}\p{M}\p{N}]/v

export function words(text: string): Word[] {
  const found: Word[] = []
  for (const written of writtenWords(text)) found.push(...formsOf(written))
  return found
}

/** Each word once, without alternative forms. A word such as `C#`, which has no runs, or that `isKept`, stays whole. */
export const wordsOnce = (text: string, isKept: (whole: string) => boolean = () => false): Word[] =>
  writtenWords(text)
    .filter((written) => !isLetterName(written))
    .map(formsOf)
    .flatMap((forms) => {
      const kept = forms.find((form) => form.kind === 'whole' && isKept(form.text))
      if (kept) return [kept]
      const runs = forms.filter(({ kind }) => kind !== 'part' && kind !== 'whole')
      return runs.length > 0 ? runs : forms
    })

const maxRemembered = 512 * 1024
const minRemembered = 64
const remembered = new LRUCache<string, readonly string[]>({
  maxSize: maxRemembered,
  sizeCalculation: (_, { length }) => length + 1,
})

/** A text's words as they are written, in order, and last its names of one letter. */
export function writtenWords(text: string): readonly string[] {
  if (text.length < minRemembered) return cutIntoWords(text)
  // Tokens and vectors are made of the same text one after the other.
  const known = remembered.get(text)
  if (known) return known
  const found = cutIntoWords(text)
  remembered.set(text, found)
  return found
}

function cutIntoWords(text: string): string[] {
  const plain = plainText(text)
  const found: string[] = plain.match(wordPattern) ?? []
  const names = letterNames(plain)
  return names.length === 0 ? found : found.concat(names)
}

export const formsOf = memoized((written): readonly Word[] => {
  if (startsUnspaced.test(written)) return [{ text: written, kind: 'unspaced' }]
  if (isLetterName(written)) return [{ text: written, kind: 'whole' }]
  return startsWord.test(written) ? wordsOfCompound(written) : wordsOfSign(written)
})

function wordsOfSign(found: string): Word[] {
  const plain = found.replace(/\p{EMod}/gv, '')
  const texts = plain === found ? [found] : [found, plain]
  return texts.map((text) => ({ text, kind: 'sign' }))
}

const loneLetter = (letters: string) =>
  new RegExp(String.raw`[${letters}](?<=(?:^| ).)(?![\p{L}\p{M}\p{N}.'’\-]|&)`, 'gv')
const capital = loneLetter(stopLetters.toUpperCase())
const anyCase = loneLetter(stopLetters + stopLetters.toUpperCase())
const wordBefore = /[\p{L}\p{M}\p{N}]+(?= $)/v
const wordAfter = /(?<=^ )[\p{L}\p{M}\p{N}]+/v
const maxLengthOfName = 40
/** A text of more is a list of letters. */
const maxNames = 32

/** A capital stop letter inside a sentence names something: `vitamin A` gives `vitamin:a`. */
const letterNames = (text: string): string[] =>
  Array.from(text.matchAll(capital).take(maxNames)).flatMap(({ index }) =>
    wordBeside(text, index).before === '' ? [] : namesAt(text, index),
  )

export const letterNamesOfQuery = (query: string): string[] =>
  Array.from(query.matchAll(anyCase).take(maxNames)).flatMap(({ index }) => namesAt(query, index))

function namesAt(text: string, index: number): string[] {
  const lone = caseFolded(text[index]!)
  const { before, after } = wordBeside(text, index)
  const [prefix, suffix] = [nameOf(before), nameOf(after)]
  return [prefix && `${prefix}:${lone}`, suffix && `${lone}:${suffix}`].filter(Boolean)
}

function wordBeside(text: string, index: number): { before: string; after: string } {
  const before =
    text.slice(Math.max(0, index - maxLengthOfName), index).match(wordBefore)?.[0] ?? ''
  const after = text.slice(index + 1, index + maxLengthOfName).match(wordAfter)?.[0] ?? ''
  return { before, after }
}

/** Empty for a stop word, which says nothing about the letter beside it. */
function nameOf(word: string): string {
  const name = caseFolded(word)
  return isStopWord(name) ? '' : stem(folded(name))
}

const isLetterName = (written: string): boolean => /^[\p{L}\p{M}\p{N}]+:/v.test(written)
