import { LRUCache } from 'lru-cache'
import { words } from '../embeddings/words.ts'
import { hashesOfWord, type TokenHashes } from './terms.ts'

/**
 * A text as queries are compared with it. Tokens are given by their hashes, one after the other in one
 * array, for V8 goes over thousands of small ones for long whenever it collects.
 */
export class AnalysedText {
  readonly #hashes: Int32Array
  readonly #endOfTokens: number
  readonly #endOfTerms: number

  constructor(tokens: number[], terms: number[], line: number[]) {
    this.#endOfTokens = tokens.length
    this.#endOfTerms = tokens.length + terms.length
    this.#hashes = new Int32Array(this.#endOfTerms + line.length)
    this.#hashes.set(tokens)
    this.#hashes.set(terms, this.#endOfTokens)
    this.#hashes.set(line, this.#endOfTerms)
  }

  /** Every token as often as it stands there. */
  get tokens(): Int32Array {
    return this.#hashes.subarray(0, this.#endOfTokens)
  }

  /** For each word in order its term, or one of the two below. */
  get terms(): Int32Array {
    return this.#hashes.subarray(this.#endOfTokens, this.#endOfTerms)
  }

  /** The terms in its first line, each once. */
  get line(): Int32Array {
    return this.#hashes.subarray(this.#endOfTerms)
  }

  get byteLength(): number {
    return this.#hashes.byteLength
  }
}

/** In place of the term that a stop word does not have. */
export const stopWord = 0
/** In place of the many that characters without spaces between have. */
export const unspacedRun = 1

/** In characters. */
const lineLength = 120

export function analyse(text: string): AnalysedText {
  const found = words(text)
  const tokens = found.map(hashesOfWord)
  const ofLine = words(firstLine(text)).map(hashesOfWord)
  return new AnalysedText(
    tokens.flatMap(({ hashes }) => hashes),
    tokens.map((own, index) => (found[index]!.kind === 'unspaced' ? unspacedRun : termOf(own))),
    [...new Set(ofLine.flatMap(({ hashes, termCount }) => hashes.slice(0, termCount)))],
  )
}

const termOf = ({ hashes, termCount }: TokenHashes): number =>
  termCount === 0 ? stopWord : hashes[0]!

/** Takes a text apart when it is first compared, which is most of comparing it. */
export function analysisOf(text: string): AnalysedText {
  const known = analyses.get(text)
  if (known) return known
  const analysis = analyse(text)
  analyses.set(text, analysis)
  return analysis
}

/**
 * What texts taken apart may take: 75,000 fragments of 400 characters, as many as there are rows
 * remembered. With room for 53,000, where 2,000 questions found 55,000 again and again, one in eight was
 * taken apart anew: a quarter fewer answers of hybrid queries, and what V8 had to give back then held
 * all others up for 20 to 50 ms at a time.
 */
const mostBytes = 192 * 1024 * 1024
/** What a text takes beside its characters and what is in its array, as measured. */
const bytesAText = 400

/** By the texts themselves, for where a fragment stands changes with every merger of files. */
const analyses = new LRUCache<string, AnalysedText>({
  maxSize: mostBytes,
  sizeCalculation: ({ byteLength }, text) => bytesAText + byteLength + 2 * text.length,
})

/** The first line, or what of it makes a sentence. */
const firstLine = (text: string): string =>
  text.trimStart().slice(0, lineLength).split(lineEnd, 1)[0] ?? ''

const lineEnd = /\n|[.!?](?=\s|$)|[。！？।؟]/v
