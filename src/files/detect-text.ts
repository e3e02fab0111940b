import iconv from 'iconv-lite'
import { detectAll } from 'jschardet'
import { isText } from './is-text.ts'
import { type Decoded, decodeAs } from './named-encoding.ts'

/** Encodings in common use. With more, some of these are taken for others. */
const detectEncodings =
  'windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 iso-8859-2 iso-8859-5 iso-8859-7 koi8-r koi8-u mac-cyrillic mac-roman cp437 cp850 cp852 cp866 cp874 shift_jis euc-jp iso-2022-jp gb18030 big5 euc-kr'.split(
    ' ',
  )
/** As `TextDecoder` has them. */
const labels: Record<string, string> = {
  maccyrillic: 'x-mac-cyrillic',
  macroman: 'macintosh',
  cp874: 'windows-874',
  'iso-2022-jp-2': 'iso-2022-jp',
  'big5-hkscs': 'big5',
}

/** In bytes, of lines that are not ASCII, each from a little before its first such byte. */
const sampleLength = 32 * 1024
const before = 512
const notAscii = /[^\0-\x7f]/g
const notAsciiWord = /[^\0-\x7f\s]+/g
const wordNotAscii = /[^\s,;]*[^\0-\x7f][^\s,;]*/g
const unassigned = /[\x80-\x9f\ufffd]/
const privateUse = /[\ue000-\uf8ff]/
/** Some texts of East Asia have a few characters of private use. */
const maxPrivate = 0.05

/** Decodes a text by its letters. Undefined for other bytes. */
export function detectText(bytes: Uint8Array): Decoded | undefined {
  const broken = brokenUtf8(bytes)
  if (broken !== undefined) return { text: broken, encoding: 'utf-8' }
  for (const encoding of encodingsOf(bytes)) {
    const decoded = decodeAs(encoding, bytes)
    if (decoded && isText(decoded.text) && isPlausible(decoded.text)) {
      return encoding === western && isLatin9(decoded.text) ? decodeAs(latin9, bytes) : decoded
    }
  }
  return undefined
}

const latin9 = 'iso-8859-15'
/** Signs of Windows-1252 that stand where ISO-8859-15 has € and letters, and what ISO-8859-15 lacks. */
const asLatin9 = /¤|\p{Ll}[¦¨¸¼½]\p{Ll}/u
const notInLatin9 = /[€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/

const isLatin9 = (text: string): boolean => asLatin9.test(text) && !notInLatin9.test(text)

function isPlausible(text: string): boolean {
  if (unassigned.test(text) || mixesScripts(text) || hasSignsInWords(text)) return false
  return !privateUse.test(text) || shareOf(text.match(notAscii) ?? [], privateUse) <= maxPrivate
}

const otherScript = /[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Hebrew}\p{sc=Arabic}]/u
const ofTwoScripts = /[a-z]/i
/** Few words of such a text have letters of two scripts. */
const maxMixed = 0.2

/** Whether words have letters of two scripts, as the `dйjа` that is `déjà` in Windows-1252. */
function mixesScripts(text: string): boolean {
  const words = text.slice(0, sampleLength).match(/\p{L}+/gu) ?? []
  return (
    shareOf(
      words.filter((word) => otherScript.test(word)),
      ofTwoScripts,
    ) > maxMixed
  )
}

/**
 * Beside letters of a word stand no such signs, as the `Gr”áe` that is `Größe` in the encoding of DOS, nor a capital
 * behind a small letter, as in the `cafŽ` that is `café` in that of the Mac.
 */
const signInWord =
  /[\p{Lu}\p{Ll}][“”„‚ƒˆ†‡§¤√∙≈≤≥⌠⌡\u250c-\u2550\u2552-\u259f][\p{Lu}\p{Ll}]|\p{Ll}[À-ÖØ-ÞŒŠŽŸ]/u

const hasSignsInWords = (text: string): boolean =>
  shareOf(text.slice(0, sampleLength).match(wordNotAscii) ?? [], signInWord) > maxMixed

const shareOf = (some: string[], pattern: RegExp): number =>
  some.filter((one) => pattern.test(one)).length / Math.max(1, some.length)

const minSound = 3

/** UTF-8 with few broken characters, as in texts that were cut and joined. */
function brokenUtf8(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes)
  const broken = text.split('\ufffd').length - 1
  const isSound = (text.match(notAscii)?.length ?? 0) > minSound * broken
  return isSound && isText(text) ? text : undefined
}

const western = 'windows-1252'
/** Fewer letters tell too little. */
const minLetters = 5
const westernLetters =
  /^[ÀÁÂÄÅÆÇÈÉÊËÍÑÓÔÖØÚÜßàáâãäåæçèéêëìíîïñòóôöøùúûüœ€¤×÷·•™†‡“”„‘’–—…°½«»§©®]*$/
/** Most texts are Windows-1252, which is taken if it is this near the most likely encoding. */
const near = 0.9

/** Beside no letter stands a sign, as the ¥ of ¥500. */
const inWord = /(?:\p{L}|[^\0-\x7f])[^\0-\x7f]|[^\0-\x7f]\p{L}/u

/** Signs of units, as in `±2 °C`, `5 µm` and `20 m²`. */
const unitSigns =
  /(?<=\d ?)°(?=[CFK]?(?!\p{L}))|(?<=[\d\s])µ(?=[A-Za-z]{1,3}(?!\p{L}))|(?<=\bk?[cdm]?m)[²³](?!\p{L})|±(?= ?\d)/gu

function isWestern(sample: string): boolean {
  const text = sample.replaceAll(unitSigns, '')
  const letters = text.match(notAscii) ?? []
  const areFew = letters.length < minLetters && westernLetters.test(letters.join(''))
  const mayBeFew = areFew && !hasSignsInWords(text)
  return sample.search(notAscii) >= 0 && (mayBeFew || !inWord.test(text))
}

function encodingsOf(bytes: Uint8Array): string[] {
  const sample = sampleOf(bytes)
  if (isWestern(new TextDecoder(western).decode(sample))) return [western]
  const ordered = likeliest(sample)
  const capital = encodingOfCapitals(sample, ordered[0]?.confidence ?? 0)
  if (capital) return [capital, ...ordered.map(({ name }) => name)]
  const likely = ordered.filter(({ confidence }) => confidence >= near * ordered[0]!.confidence)
  if (likely.some(({ name }) => name === western)) {
    return [western, ...ordered.map(({ name }) => name)]
  }
  const likelyCyrillic = cyrillic.has(ordered[0]?.name ?? '')
    ? likely
        .filter(({ name }) => cyrillic.has(name))
        .map(({ name }) => ({ name, share: shareOfSound(name, sample) }))
        .toSorted((one, other) => other.share - one.share || most(other.name) - most(one.name))
    : []
  return [...likelyCyrillic, ...ordered].map(({ name }) => name)
}

const lineFeed = 0x0a

function sampleOf(bytes: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = []
  for (let [at, length] = [0, 0]; length < sampleLength;) {
    const ahead = bytes.subarray(at).findIndex((byte) => byte > 0x7f)
    if (ahead < 0) break
    const first = at + ahead
    const start = Math.max(at, bytes.lastIndexOf(lineFeed, first) + 1, first - before)
    const end = Math.min(bytes.indexOf(lineFeed, first) + 1 || bytes.length, start + sampleLength)
    pieces.push(bytes.subarray(start, end))
    ;[at, length] = [end, length + end - start]
  }
  return pieces.length === 0 ? bytes.subarray(0, sampleLength) : Buffer.concat(pieces)
}

function likeliest(sample: Uint8Array): { name: string; confidence: number }[] {
  const found = detectAll(Buffer.from(sample), { detectEncodings, minimumThreshold: 0 })
  return found.flatMap(({ encoding, confidence }) => {
    const name = encoding?.toLowerCase()
    return name ? [{ name: labels[name] ?? name, confidence }] : []
  })
}

const ofCapitals = ['windows-1251', 'windows-1253']

/** An encoding in which all letters are capitals, if it is likelier by their small letters, which the detector knows. */
function encodingOfCapitals(sample: Uint8Array, most: number): string | undefined {
  const found = ofCapitals.flatMap((name) => {
    const text = decodeAs(name, sample)?.text ?? ''
    const letters = text.match(/(?![a-z])\p{L}/giu) ?? []
    if (letters.length === 0 || shareOf(letters, /\p{Lu}/u) < 1) return []
    return likeliest(iconv.encode(text.toLowerCase(), name)).filter((one) => one.name === name)
  })
  return found.toSorted((a, b) => b.confidence - a.confidence).find((one) => one.confidence > most)
    ?.name
}

/** These have most small letters in common, and capitals where the others have signs. */
const cyrillic = new Set(['windows-1251', 'x-mac-cyrillic'])
/** Most such texts are of Windows. */
const most = (name: string): number => (name === 'windows-1251' ? 1 : 0)
const sound = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+)$/u
const quotesAndDashes = /^[«»„“”‘’—–…№]+|[«»„“”‘’—–…№]+$/g

/** Of the words that are not ASCII: only small letters, a capital before them, or capitals alone. */
function shareOfSound(encoding: string, sample: Uint8Array): number {
  const text = decodeAs(encoding, sample)?.text ?? ''
  const found = (text.match(notAsciiWord) ?? []).map((word) => word.replace(quotesAndDashes, ''))
  return shareOf(
    found.filter((word) => word !== ''),
    sound,
  )
}
