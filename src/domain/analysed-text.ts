import { LRUCache } from 'lru-cache'
import { words } from '../embeddings/words.ts'
import type { Found } from '../store/hits.ts'
import { tokensOfWord, type WordTokens } from './terms.ts'

/**
 * A text as queries are compared with it. Tokens are given by their hashes, so that it takes little
 * memory, and to compare it makes nothing new.
 */
export type AnalysedText = {
  /** Every token as often as it stands there. */
  tokens: Int32Array
  /** For each word in order its term, or one of the two below. */
  terms: Int32Array
  /** The terms in its first line, each once. */
  line: Int32Array
}

/** In place of the term that a stop word does not have. */
export const stopWord = 0
/** In place of the many that characters without spaces between have. */
export const unspacedRun = 1

/** In characters. */
const lineLength = 120

export function analyse(text: string): AnalysedText {
  const found = words(text)
  const tokens = found.map(tokensOfWord)
  const ofLine = words(firstLine(text)).map(tokensOfWord)
  return {
    tokens: allHashes(tokens, ({ hashes }) => hashes.length),
    terms: new Int32Array(
      tokens.map((own, index) => (found[index]!.kind === 'unspaced' ? unspacedRun : termOf(own))),
    ),
    line: new Int32Array(new Set(allHashes(ofLine, ({ terms }) => terms.length))),
  }
}

const termOf = ({ terms, hashes }: WordTokens): number =>
  terms.length === 0 ? stopWord : hashes[0]!

/** The first hashes of each word, one after the other; `lengthOf` says how many. */
function allHashes(tokens: WordTokens[], lengthOf: (word: WordTokens) => number): Int32Array {
  const all = new Int32Array(tokens.reduce((length, word) => length + lengthOf(word), 0))
  let end = 0
  for (const word of tokens) {
    const length = lengthOf(word)
    for (let index = 0; index < length; index++) all[end++] = word.hashes[index]!
  }
  return all
}

/** Takes a fragment's text apart when it is first found, which is most of comparing it. */
export function analysisOf(found: Found): AnalysedText {
  const known = analyses.get(found)
  if (known) return known
  const analysis = analyse(found.text)
  analyses.set(found, analysis)
  return analysis
}

/** What texts taken apart may take; some 20,000 fragments of 400 characters. */
const mostBytes = 56 * 1024 * 1024
/** What arrays take beside what is in them. */
const bytesAText = 512

const analyses = new LRUCache<Found, AnalysedText>({
  maxSize: mostBytes,
  sizeCalculation: ({ tokens, terms, line }) =>
    bytesAText + tokens.byteLength + terms.byteLength + line.byteLength,
})

/** The first line, or what of it makes a sentence. */
const firstLine = (text: string): string =>
  text.trimStart().slice(0, lineLength).split(lineEnd, 1)[0] ?? ''

const lineEnd = /\n|[.!?](?=\s|$)|[。！？।؟]/v
