import { product, unit } from './unit.ts'

const bytesAValue = Float32Array.BYTES_PER_ELEMENT
const placesAWord = 32

/**
 * Which way a vector points, without its zeros where that takes less memory: of the built-in
 * embedder's numbers for a text of 400 characters more than half are 0.
 */
export class Direction {
  readonly length: number
  /** Those of a vector of length 1. */
  readonly #values: Float32Array
  /** A bit for each place, set where the number is not 0; undefined where none is left out. */
  readonly #mask: Int32Array | undefined

  constructor(vector: Float32Array) {
    this.length = vector.length
    const count = countOf(vector)
    const words = Math.ceil(vector.length / placesAWord)
    if (count + words >= vector.length) {
      this.#values = unit(vector)
      return
    }
    // One piece of memory for both, for V8 takes long over each.
    const buffer = new ArrayBuffer((count + words) * bytesAValue)
    const values = new Float32Array(buffer, 0, count)
    const mask = new Int32Array(buffer, count * bytesAValue)
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
    const { places, values } = this.numbers
    for (let n = 0; n < values.length; n++) vector[places[n]!]! += distance * values[n]!
  }

  /** Its numbers, for a vector of length 1, and their places; without most that are 0. */
  get numbers(): { places: Uint32Array; values: Float32Array } {
    const [values, mask] = [this.#values, this.#mask]
    if (!mask) return { places: Uint32Array.from(values.keys()), values }
    const places = new Uint32Array(values.length)
    let n = 0
    for (let word = 0; word < mask.length; word++) {
      for (let bits = mask[word]!; bits !== 0; bits &= bits - 1) places[n++] = placeOf(word, bits)
    }
    return { places, values }
  }
}

/** Where the lowest bit of a word of the mask stands. */
const placeOf = (word: number, bits: number): number =>
  word * placesAWord + (placesAWord - 1) - Math.clz32(bits & -bits)

/** How many numbers of a vector are not 0. */
function countOf(vector: Float32Array): number {
  let count = 0
  for (let place = 0; place < vector.length; place++) count += Number(vector[place] !== 0)
  return count
}
