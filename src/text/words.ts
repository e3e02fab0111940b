import { wordsOfCompound } from './compounds.ts'
import { letterNames } from './letter-names.ts'
import { emoji, plainText } from './plain-text.ts'
import type { Word } from './word.ts'
import { remembering } from './word-cache.ts'

const unspaced = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`
const letter = String.raw`[[\p{L}\p{M}\p{N}]--[${unspaced}ʻʼ]]`
/** `1 000`, `(030) 123 456`, where neither group is a number by itself. */
const groupJoint = String.raw`(?<=(?<![\p{L}\d.,:\/])\d{1,4})(?:\)? \(?)(?=\d{2,7}(?![\d\p{L}]|[.,:\/]\d|(?<=\d{4})-\d))`
/** Joins what stands on both sides of it; also a hyphen at the end of a line. */
const joint = String.raw`[\-‐‑־._\/\&'’‘ʻʼ·\u200C](?:(?<=-)\n *)?|(?<=\d),(?=\d)|${groupJoint}|(?<=\p{sc=Hebrew})["״׳](?=\p{sc=Hebrew})`
const compound = String.raw`(?:(?<![\p{L}\p{N}.])\.(?=\p{L}))?${letter}+(?:(?:${joint})${letter}+)*(?:(?<=\p{L})(?:\+\+(?!\p{L})|[+#](?![\p{L}\p{N}+#])))?`
const operator = String.raw`(?<![\p{P}\p{S}])[!%\&*+\-\/:<=>?\^\|~]{2,3}(?![\p{P}\p{S}])|(?<!\S)[%\&+\/<=>\^~](?!\S)`
const sign = String.raw`${emoji}|\p{Sc}|%|[\p{So}--[\u2500-\u259F]]|[\p{Sm}--\p{ASCII}]|${operator}`
const pattern = new RegExp(
  String.raw`${compound}|[[\p{L}\p{M}\p{N}]&&[${unspaced}]]+|${sign}`,
  'gv',
)
const startsUnspaced = new RegExp(`^[${unspaced}]`, 'v')
const startsWord = /^\.?[\p{L}\p{M}\p{N}]/v

/** The words of a text in order, the forms of each after it. */
export function words(text: string): Word[] {
  const plain = plainText(text)
  const found = plain.match(pattern) ?? []
  return [...found.flatMap(wordsOf), ...letterNames(plain)]
}

const wordsOf = remembering((found): Word[] => {
  if (startsUnspaced.test(found)) return [{ text: found, kind: 'unspaced' }]
  return startsWord.test(found) ? wordsOfCompound(found) : wordsOfSign(found)
})

/** An emoji of some skin is found as the plain one too. */
function wordsOfSign(found: string): Word[] {
  const plain = found.replace(/\p{EMod}/gv, '')
  const texts = plain === found ? [found] : [found, plain]
  return texts.map((text) => ({ text, kind: 'sign' }))
}
