import { product, unit } from './unit.ts'

const bytesANumber = 4
const bitsAWord = 32

/**
 * Which way a vector points, without its zeros where that takes a quarter less memory: of the built-in
 * embedder's numbers for a text of 400 characters more than half are 0. To compare such a one with a
 * vector takes twice the time.
 */
export class Direction {
  readonly length: number
  /** How many of its numbers are not 0. */
  readonly count: number
  /** Those of a vector of length 1. */
  readonly #values: Float32Array
  /** A bit for each place, set where the number is not 0; undefined where none is left out. */
  readonly #mask: Int32Array | undefined

  constructor(vector: Float32Array) {
    this.length = vector.length
    this.count = countOf(vector)
    const words = Math.ceil(vector.length / bitsAWord)
    if ((this.count + words) * 4 > vector.length * 3) {
      this.#values = unit(vector)
      return
    }
    // One piece of memory for both, for V8 takes long over each.
    const buffer = new ArrayBuffer((this.count + words) * bytesANumber)
    const values = new Float32Array(buffer, 0, this.count)
    const mask = new Int32Array(buffer, this.count * bytesANumber)
    const scale = 1 / Math.sqrt(product(vector, vector))
    let n = 0
    for (let place = 0; place < vector.length; place++) {
      const value = vector[place]!
      if (value === 0) continue
      values[n++] = value * scale
      mask[place >> 5]! |= 1 << (place & 31)
    }
    this.#values = values
    this.#mask = mask
  }

  get byteLength(): number {
    return this.#values.buffer.byteLength
  }

  /** How far a vector reaches this way: for one of length 1 the cosine of both. */
  partOf(vector: Float32Array): number {
    const [values, mask] = [this.#values, this.#mask]
    if (!mask) return product(values, vector)
    let [sum, n] = [0, 0]
    for (let word = 0; word < mask.length; word++) {
      for (let bits = mask[word]!; bits !== 0; bits &= bits - 1) {
        sum += values[n++]! * vector[placeOf(word, bits)]!
      }
    }
    return sum
  }

  /** Moves a vector so far this way. */
  addTo(vector: Float32Array, distance: number): void {
    const [values, mask] = [this.#values, this.#mask]
    if (!mask) {
      for (let n = 0; n < values.length; n++) vector[n]! += distance * values[n]!
      return
    }
    let n = 0
    for (let word = 0; word < mask.length; word++) {
      for (let bits = mask[word]!; bits !== 0; bits &= bits - 1) {
        vector[placeOf(word, bits)]! += distance * values[n++]!
      }
    }
  }

  /** Its numbers, for a vector of length 1, and where they stand; all that are not 0. */
  get numbers(): { places: Uint32Array; values: Float32Array } {
    const places = this.#places()
    if (places) return { places, values: this.#values }
    return withoutZeros(this.#values)
  }

  /** Where the numbers stand; undefined where none is left out. */
  #places(): Uint32Array | undefined {
    const mask = this.#mask
    if (!mask) return undefined
    const places = new Uint32Array(this.count)
    let n = 0
    for (let word = 0; word < mask.length; word++) {
      for (let bits = mask[word]!; bits !== 0; bits &= bits - 1) places[n++] = placeOf(word, bits)
    }
    return places
  }
}

/** Where the lowest bit of a word of the mask stands. */
const placeOf = (word: number, bits: number): number =>
  word * bitsAWord + (bitsAWord - 1) - Math.clz32(bits & -bits)

/** How many numbers of a vector are not 0. */
function countOf(vector: Float32Array): number {
  let count = 0
  for (let place = 0; place < vector.length; place++) count += Number(vector[place] !== 0)
  return count
}

function withoutZeros(vector: Float32Array) {
  const count = countOf(vector)
  const [places, values] = [new Uint32Array(count), new Float32Array(count)]
  let n = 0
  for (let place = 0; place < vector.length; place++) {
    if (vector[place] === 0) continue
    places[n] = place
    values[n++] = vector[place]!
  }
  return { places, values }
}
