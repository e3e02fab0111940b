import { WriteSlice } from '../process/time-slice.ts'
import { wordWeight } from '../text/stop-words.ts'
import { fmix32, fnv1a, hashOfToken } from '../text/tokens.ts'
import { folded, foldedRun, stem } from '../text/folding.ts'
import { memoized, type Word } from '../text/word.ts'
import { formsOf, writtenWords } from '../text/words.ts'
import type { Embedder } from './embedder.ts'

type Features = { hashes: readonly number[]; weights: readonly number[]; wordWeight: number }

export const builtInModel = 'hashing-2'

/** Whether vectors were made by this embedder, of this version or an earlier one. */
export const isBuiltIn = (model: string): boolean => /^hashing-\d+$/.test(model)

const dimensions = 1024
const gramLengths = [3, 4, 5]
/** The weight of all grams of a word together, as a root of squares; the word itself has 1. */
const gramsWeight = 1.47
const characterWeight = 0.5
const pairWeight = 1
const formWeight = 0.5

/**
 * The built-in embedder: no network, and the same vector for the same text everywhere. It hashes stems, grams and
 * characters of unspaced scripts. docs/measurements.md says what each is worth.
 */
export class HashingEmbedder implements Embedder {
  readonly model = builtInModel
  readonly dimensions = dimensions
  readonly isModel = false
  readonly #featuresOf = memoized((written) => formsOf(written).map(featuresOf))
  readonly #counter = new HashCounter()

  async embed(texts: string[], signal: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = []
    const slice = new WriteSlice()
    for (const text of texts) {
      vectors.push(this.#embedText(text))
      await slice.pause()
      signal.throwIfAborted()
    }
    return vectors
  }

  #embedText(text: string): Float32Array {
    const found = writtenWords(text).flatMap(this.#featuresOf)
    return (
      this.#sumOf(found, ({ wordWeight: weight }) => weight) ??
      this.#sumOf(found, () => 1) ??
      this.#sumOf(text.split(/\s+/).map(unspacedFeatures), () => 1) ??
      basisVector(hashOfToken(text))
    )
  }

  #sumOf(found: Features[], weightOf: (word: Features) => number): Float32Array | undefined {
    const counter = this.#counter
    counter.clear()
    for (const word of found) {
      const { hashes, weights } = word
      const weight = weightOf(word)
      if (weight === 0) continue
      for (let n = 0; n < hashes.length; n++) counter.add(hashes[n]!, weight * weights[n]!)
    }
    const vector = new Float32Array(dimensions)
    counter.forEach((hash, sum) => {
      vector[hash & (dimensions - 1)]! += hash < 0 ? -saturated(sum) : saturated(sum)
    })
    return scaledToUnit(vector)
  }
}

/** A feature's tenth occurrence says less than its first (the form of BM25 at k1 = 1.2). */
const saturated = (sum: number): number => (2.2 * sum) / (sum + 1.2)

/** In place; undefined when the vector is zero. */
function scaledToUnit(vector: Float32Array): Float32Array | undefined {
  let squares = 0
  for (const value of vector) squares += value * value
  if (squares === 0) return undefined
  const scale = 1 / Math.sqrt(squares)
  for (let n = 0; n < vector.length; n++) vector[n]! *= scale
  return vector
}

function basisVector(hash: number): Float32Array {
  const vector = new Float32Array(dimensions)
  vector[hash & (dimensions - 1)] = 1
  return vector
}

function featuresOf(word: Word): Features {
  if (word.kind === 'unspaced') return unspacedFeatures(foldedRun(word.text))
  return word.kind === 'spaced' ? memoizedFeatures(word.text) : formFeatures(word.text)
}

function spacedFeatures(text: string): Features {
  const bare = folded(text)
  const marked = `^${bare}$`
  const grams = gramLengths.flatMap((length) => ngrams(marked, length))
  const gramWeight = gramsWeight / Math.sqrt(grams.length)
  const exact = bare === text ? [] : [`!${text}`]
  return {
    hashes: [`=${stem(bare)}`, ...grams.map((gram) => `#${gram}`), ...exact].map(hashOfToken),
    weights: [1, ...grams.map(() => gramWeight), ...exact.map(() => formWeight)],
    wordWeight: wordWeight(text),
  }
}

const memoizedFeatures = memoized(spacedFeatures)

const formFeatures = (text: string): Features => ({
  hashes: [hashOfToken(`=${stem(folded(text))}`)],
  weights: [formWeight],
  wordWeight: wordWeight(text),
})

const ngrams = (text: string, length: number): string[] =>
  Array.from({ length: Math.max(0, text.length - length + 1) }, (_, start) =>
    text.slice(start, start + length),
  )

function unspacedFeatures(text: string): Features {
  const characters = [...text]
  const singles = characters.map((character) => fnv1a(`=${character}`))
  const pairs = characters.slice(1).map((second, index) => fnv1a(second, singles[index]))
  return {
    hashes: [...singles, ...pairs].map(fmix32),
    weights: [...singles.map(() => characterWeight), ...pairs.map(() => pairWeight)],
    wordWeight: wordWeight(text),
  }
}

/** Sums by 32-bit hash, in the order of first arrival; linear probing is faster than a `Map`. */
class HashCounter {
  /** One more than the index of a hash in `#hashes`; 0 where the slot is free. */
  #slots = new Int32Array(1024)
  readonly #hashes: number[] = []
  readonly #sums: number[] = []
  #size = 0

  add(hash: number, value: number): void {
    const slot = this.#slotOf(hash)
    const index = this.#slots[slot]! - 1
    if (index >= 0) {
      this.#sums[index]! += value
      return
    }
    this.#hashes[this.#size] = hash
    this.#sums[this.#size] = value
    this.#slots[slot] = ++this.#size
    if (this.#size * 2 === this.#slots.length) this.#grow()
  }

  forEach(visit: (hash: number, sum: number) => void): void {
    for (let index = 0; index < this.#size; index++) visit(this.#hashes[index]!, this.#sums[index]!)
  }

  clear(): void {
    this.#slots.fill(0)
    this.#size = 0
  }

  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1
    let slot = hash & mask
    for (;;) {
      const index = this.#slots[slot]! - 1
      if (index < 0 || this.#hashes[index] === hash) return slot
      slot = (slot + 1) & mask
    }
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2)
    for (let index = 0; index < this.#size; index++) {
      this.#slots[this.#slotOf(this.#hashes[index]!)] = index + 1
    }
  }
}
