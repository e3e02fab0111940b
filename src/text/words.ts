import { stemmer } from 'stemmer'

/** A word, or a run of letters in a script that is written unspaced. */
export type Word = { text: string; kind: 'spaced' | 'unspaced' }

const unspaced = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`
const wordPattern = new RegExp(
  String.raw`[[\p{L}\p{M}\p{N}]&&[${unspaced}]]+|[[\p{L}\p{M}\p{N}]--[${unspaced}]]+`,
  'gv',
)
const startsUnspaced = new RegExp(`^[${unspaced}]`, 'v')

/** One character can become 18 of them, and a query of nothing else would take as long as 18 others. */
const maxLengthOfForm = (text: string): number => 2 * text.length + 64

export function words(text: string): Word[] {
  const form = text.normalize('NFKC').slice(0, maxLengthOfForm(text))
  const found = form.toLowerCase().match(wordPattern) ?? []
  return found.map((word) => ({
    text: word,
    kind: startsUnspaced.test(word) ? 'unspaced' : 'spaced',
  }))
}

const latin = /^[\p{sc=Latin}\p{M}\p{N}]+$/v
const inflected = /^[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\p{sc=Georgian}\p{M}]+$/v
const arabic = /^[\p{sc=Arabic}\p{M}]+$/v

/** What the forms of a word have in common; Latin script is taken for English, its most likely use. */
export function stem(word: string): string {
  if (latin.test(word)) return stemmer(word.normalize('NFKD').replace(/\p{M}/gv, ''))
  if (inflected.test(word)) return [...word].slice(0, 5).join('')
  if (arabic.test(word)) return stemArabic(word)
  return word
}

function stemArabic(word: string): string {
  const bare = word.replace(/\p{M}/gv, '')
  const prefixless = bare.replace(/^(?:وال|بال|كال|فال|لل|ال)(?=..)/v, '')
  return prefixless.replace(/(?<=...)(?:ها|ان|ات|ون|ين|يه|ية|ه|ة|ي)$/v, '')
}
