import traditionalAndSimplified from 'opencc-js/dict/TSCharacters'
import { stemmer } from 'stemmer'

const ascii = /^\p{ASCII}*$/v

/** Unicode's full case folding; the dotless i of Turkish is an i, and an i keeps no dot. */
export function caseFolded(word: string): string {
  if (ascii.test(word)) return word.toLowerCase()
  const lower = word.toLowerCase().toUpperCase().toLowerCase()
  return lower.normalize('NFC').replaceAll('\u0307', '').replaceAll('ς', 'σ')
}

/** Marks that readers leave out; the vowels of Indian scripts are marks too, and are not among them. */
const mark =
  /[\p{M}&&[\p{sc=Inherited}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}]]/gv
const nukta = /[\u093C\u09BC\u0A3C\u0ABC\u0B3C\u0CBC]/gv

/** Letters that readers take for others, although Unicode does not decompose them. */
const likeLetters = new Map(
  'þth ŋn ŧt əe ɛe ɔo ɓb ɗd ɖd ƙk ɣg ƴy ʋv ƒf ɨi ʉu ةه ىي یي ېي ےي کك ڪك ٱا ہه ھه ەه ںن ँं'
    .split(' ')
    .map((pair) => [pair[0]!, pair.slice(1)]),
)

const base = new Intl.Collator('und', { sensitivity: 'base' })
const latinBases = [...'abcdefghijklmnopqrstuvwxyz', 'ae', 'oe']

/** Unicode's collation knows that ł is an l, and æ an ae. */
function likeLetterOf(letter: string): string {
  const known = likeLetters.get(letter)
  if (known !== undefined) return known
  const like = latinBases.find((latin) => base.compare(latin, letter) === 0) ?? letter
  likeLetters.set(letter, like)
  return like
}

const oddLetter = /[[\p{sc=Latin}\p{sc=Arabic}ँ]--\p{ASCII}]/gv
/** Hindi writes an n before a consonant of its own place as a letter or as a dot. */
const hindiNasal = /[ङञणनम]्(?=[क-भ])/gv

/** The common form of a word's spellings: letters without their marks. */
export function folded(word: string): string {
  if (ascii.test(word)) return word
  const bare = word.normalize('NFKD').replace(mark, '').replace(nukta, '').normalize('NFC')
  return bare.replace(hindiNasal, 'ं').replace(oddLetter, likeLetterOf)
}

const spelling: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/** A case-folded word as typed on a keyboard without its letters, `groesse` for `größe`. */
export const speltOut = (word: string): string =>
  ascii.test(word) ? word : word.replace(/[äöüøå]/gv, (letter) => spelling[letter]!)

const katakanaOffset = 0x60

/** Katakana as hiragana, traditional Chinese as simplified. */
export const foldedRun = (run: string): string =>
  simplified(
    run.replace(/[ァ-ヶ]/gv, (kana) => String.fromCharCode(kana.charCodeAt(0) - katakanaOffset)),
  )

const simplifiedOf = new Map(
  traditionalAndSimplified.split('|').map((pair) => {
    const [traditional = '', simple = ''] = pair.split(' ')
    return [traditional, simple]
  }),
)

const han = /\p{sc=Han}/gv

const simplified = (text: string): string =>
  text.replace(han, (character) => simplifiedOf.get(character) ?? character)

const latin = /^[\p{sc=Latin}\p{M}\p{N}]+$/v
const inflected = /^[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\p{sc=Georgian}\p{M}]+$/v
const arabic = /^[\p{sc=Arabic}\p{M}]+$/v

/** The stem of a case-folded word without marks. Latin script is taken for English. */
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
