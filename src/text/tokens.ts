import { folded, foldedRun, speltOut, stem } from './folding.ts'
import { isStopWord } from './stop-words.ts'
import { memoized, type Word } from './word.ts'
import { formsOf, writtenWords } from './words.ts'

export type Tokens = {
  terms: readonly string[]
  /** Its exact spelling, marked with `=`, if readers take other spellings for the same. */
  exact: readonly string[]
  variants: readonly string[]
  /** Its pieces, marked with `#`, which also find compounds and misspelt words. */
  grams: readonly string[]
}

export const gramLength = 4
/** A syllable of Korean is one letter here, and most words have two or three before their endings. */
const hangulGramLength = 2
const hangul = /^\p{sc=Hangul}/v

/** All tokens of a text, with blanks between, as the index of words takes them. */
export function tokensOf(text: string): string {
  let tokens = ''
  for (const written of writtenWords(text)) {
    const found = tokensOfWritten(written)
    if (found !== '') tokens += tokens === '' ? found : ` ${found}`
  }
  return tokens
}

const tokensOfWritten = memoized((written) =>
  formsOf(written)
    .flatMap((word) => {
      const { terms, exact, variants, grams } = tokensOfWord(word)
      return [terms, exact, variants, grams].flat()
    })
    .join(' '),
)

/** For each form of a written word the hashes of its terms; none for a stop word. */
export const termHashesOf = memoized((written) =>
  formsOf(written).map((word) => {
    const { terms, variants } = tokensOfWord(word)
    return { kind: word.kind, hashes: [...terms, ...variants].map(hashOfToken) }
  }),
)

export type TokenizedWord = Word & { tokens: Tokens }

export const tokenized = (some: Word[]): TokenizedWord[] =>
  some.map((word) => ({ ...word, tokens: tokensOfWord(word) }))

const none: readonly string[] = []

export function tokensOfWord({ text, kind }: Word): Tokens {
  if (kind === 'unspaced') return tokensOfRun(text)
  if (kind === 'sign') return { terms: [text], exact: none, variants: none, grams: none }
  return kind === 'spaced' ? tokensOfSpaced(text) : tokensOfForm(text)
}

function tokensOfForm(text: string): Tokens {
  const bare = folded(text)
  const terms = termsOf(text, bare)
  return {
    terms,
    exact: bare === text || terms.length === 0 ? none : [`=${text}`],
    variants: variantsOf(text).filter((variant) => !terms.includes(variant)),
    grams: none,
  }
}

const tokensOfSpaced = memoized((text): Tokens => {
  const { terms, exact, variants } = tokensOfForm(text)
  return { terms, exact, variants, grams: gramsOf(folded(text)) }
})

/** Neither `outing` nor the Vietnamese `thẻ` is a stop word, although `out` and `the` are. */
function termsOf(text: string, bare = folded(text)): string[] {
  const isStop = isStopWord(text) || (bare.length === 1 && isStopWord(bare))
  const term = isStop ? '' : stem(bare)
  return term === '' ? [] : [term]
}

/** `groesse` for `größe`, and 5 for 05. */
function variantsOf(text: string): string[] {
  const spelt = speltOut(text)
  if (spelt !== text) return termsOf(spelt)
  return /^0\d$/.test(text) ? [text.slice(1)] : []
}

function gramsOf(word: string): string[] {
  const marked = `^${word}$`
  const length = hangul.test(word) ? hangulGramLength : gramLength
  if (marked.length < length) return [`#${marked}`]
  return Array.from(
    { length: marked.length - length + 1 },
    (_, start) => `#${marked.slice(start, start + length)}`,
  )
}

/** Grams keep the written characters, so that the same writing is found first. */
function tokensOfRun(run: string): Tokens {
  const [terms, grams]: [string[], string[]] = [[], []]
  const characters = [...run]
  const folds = [...foldedRun(run)]
  characters.forEach((first, index) => {
    terms.push(folds[index]!)
    const [second, third] = [characters[index + 1], characters[index + 2]]
    if (second === undefined) return
    terms.push(folds[index]! + folds[index + 1]!)
    grams.push(`#${first}${second}`)
    if (third !== undefined) grams.push(`#${first}${second}${third}`)
  })
  return { terms, exact: none, variants: none, grams }
}

const fnvBasis = 0x811c9dc5
const fnvPrime = 0x01000193

/** Over UTF-16 code units. @param basis the hash of the text before */
export function fnv1a(text: string, basis = fnvBasis): number {
  let hash = basis
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), fnvPrime)
  }
  return hash
}

export function fmix32(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/** FNV-1a with MurmurHash3's finaliser, which spreads it evenly over 32 bits. */
export const hashOfToken = (token: string): number => fmix32(fnv1a(token))

export const hashesOf = (tokens: readonly string[]): number[] => tokens.map(hashOfToken)

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const [blank, maxAscii] = [0x20, 0x7f]

/** The hash of each token as often as it occurs; `tokens` is UTF-8 with blanks between. */
export function hashesOfTokens(tokens: Uint8Array): number[] {
  const hashes: number[] = []
  let start = 0
  let [hash, isAscii] = [fnvBasis, true]
  for (let at = 0; at <= tokens.length; at++) {
    const byte = tokens[at] ?? blank
    if (byte !== blank) {
      // A byte of ASCII is the code unit, so that most tokens need no string.
      hash = Math.imul(hash ^ byte, fnvPrime)
      isAscii &&= byte <= maxAscii
    } else {
      if (at > start)
        hashes.push(isAscii ? fmix32(hash) : hashOfToken(utf8.decode(tokens.subarray(start, at))))
      start = at + 1
      hash = fnvBasis
      isAscii = true
    }
  }
  return hashes
}
