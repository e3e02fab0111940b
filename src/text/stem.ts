import { stemmer } from 'stemmer'

const latin = /^[\p{sc=Latin}\p{M}\p{N}]+$/v
const inflected = /^[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\p{sc=Georgian}\p{M}]+$/v
const arabic = /^[\p{sc=Arabic}\p{M}]+$/v

/** The common form of a case-folded word without marks. Latin script is taken for English. */
export function stem(word: string): string {
  if (latin.test(word)) return stemmer(word)
  if (inflected.test(word)) return [...word].slice(0, 5).join('')
  if (arabic.test(word)) return stemArabic(word)
  return word
}

function stemArabic(word: string): string {
  const prefixless = word.replace(/^(?:وال|بال|كال|فال|لل|ال)(?=..)/v, '')
  return prefixless.replace(/(?<=...)(?:ها|ان|ات|ون|ين|يه|ه|ي)$/v, '')
}
