import { LRUCache } from 'lru-cache'
import { TimeSlice } from '../time-slice.ts'
import type { Embedder } from './embedder.ts'
import { wordWeight } from './stop-words.ts'
import { stem, type Word, words } from './words.ts'

/** A feature's hash with its weight in one occurrence of the word it comes from. */
type Feature = { hash: number; weight: number }

const dimensions = 1024
const gramLengths = [3, 4, 5]
/** All n-grams of a word together weigh this much more than the word itself, by their root sum. */
const gramsWeight = 1.47
const characterWeight = 0.5
const pairWeight = 1

/**
 * The built-in embedder: no network, no key, no download, the same vector for the same text
 * everywhere. A text's stems, the 3- to 5-grams of its words and, in unspaced scripts, its
 * characters and pairs of them are counted, saturated, and added to one of 1,024 numbers each with
 * a sign, both chosen by a hash; the sum is brought to length 1.
 */
export class HashingEmbedder implements Embedder {
  readonly model = 'hashing-1'
  readonly dimensions = dimensions
  readonly isRemote = false
  readonly #features = new FeatureCache()

  async embed(texts: string[], signal: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = []
    const slice = new TimeSlice()
    for (const text of texts) {
      vectors.push(this.#embedText(text))
      await slice.pause()
      signal.throwIfAborted()
    }
    return vectors
  }

  #embedText(text: string): Float32Array {
    const found = words(text)
    const addUp = (some: Word[], weightOf: (word: string) => number) =>
      vectorOf(some, weightOf, this.#features)
    const vector =
      addUp(found, wordWeight) ?? addUp(found, () => 1) ?? addUp(symbols(text), () => 1)
    return vector ?? unitVector(hashOf(text))
  }
}

/** The vector of the words, or undefined when nothing is left of them. */
function vectorOf(
  found: Word[],
  weightOf: (word: string) => number,
  features: FeatureCache,
): Float32Array | undefined {
  const sums = new Map<number, number>()
  for (const word of found) {
    const weight = weightOf(word.text)
    if (weight === 0) continue
    for (const feature of features.of(word)) {
      sums.set(feature.hash, (sums.get(feature.hash) ?? 0) + weight * feature.weight)
    }
  }
  const vector = new Float32Array(dimensions)
  for (const [hash, sum] of sums) {
    const index = hash & (dimensions - 1)
    vector[index]! += hash < 0 ? -saturated(sum) : saturated(sum)
  }
  return normalized(vector)
}

/** A feature's tenth occurrence says less than its first (the form of BM25 at k1 = 1.2). */
const saturated = (sum: number): number => (2.2 * sum) / (sum + 1.2)

function normalized(vector: Float32Array): Float32Array | undefined {
  let squares = 0
  for (const value of vector) squares += value * value
  if (squares === 0) return undefined
  const scale = 1 / Math.sqrt(squares)
  return vector.map((value) => value * scale)
}

/** Few words make most of a text: remembering their features makes embedding twice as fast. */
class FeatureCache {
  readonly #known = new LRUCache<string, Feature[]>({ max: 20_000, memoMethod: spacedFeatures })

  of({ text, kind }: Word): Feature[] {
    if (kind === 'unspaced') return unspacedFeatures(text)
    return text.length <= longestRemembered ? this.#known.memo(text) : spacedFeatures(text)
  }
}

/** Longer words are rare, and 20,000 of them would fill the memory. */
const longestRemembered = 32

function spacedFeatures(word: string): Feature[] {
  const marked = `^${word}$`
  const grams = gramLengths.flatMap((length) => slices(marked, length))
  const weight = gramsWeight / Math.sqrt(grams.length)
  return [
    { hash: hashOf(`=${stem(word)}`), weight: 1 },
    ...grams.map((gram) => ({ hash: hashOf(`#${gram}`), weight })),
  ]
}

function unspacedFeatures(run: string): Feature[] {
  const characters = [...run]
  const pairs = characters.slice(1).map((character, index) => characters[index]! + character)
  return [
    ...characters.map((character) => ({ hash: hashOf(`=${character}`), weight: characterWeight })),
    ...pairs.map((pair) => ({ hash: hashOf(`=${pair}`), weight: pairWeight })),
  ]
}

/** What a text without a word is made of: emoji, punctuation. */
const symbols = (text: string): Word[] =>
  text.split(/\s+/).map((run) => ({ text: run, kind: 'unspaced' }))

const slices = (text: string, length: number): string[] =>
  Array.from({ length: Math.max(0, text.length - length + 1) }, (_, start) =>
    text.slice(start, start + length),
  )

function unitVector(hash: number): Float32Array {
  const vector = new Float32Array(dimensions)
  vector[hash & (dimensions - 1)] = 1
  return vector
}

/** FNV-1a over UTF-16 code units, with MurmurHash3's finaliser, whose every bit is even. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
