import type { Direction } from './direction.ts'

/**
 * As many as a byte tells apart. With four times as many they would be a fifth faster, but to make a
 * block would take 10 ms. The last, of which there are fewer, go one by one.
 */
const rowsABlock = 256
/** With fewer zeros than one in so many to leave out, a vector is compared faster one by one. */
const numbersAZero = 16

type Block = {
  readonly byteLength: number
  /** Adds how far the vector reaches each way to `parts`. */
  addParts(vector: Float32Array, parts: Float64Array): void
}

/**
 * Directions that vectors are compared with again and again, also by the places of their numbers: of
 * the built-in embedder's 1,024 for a question 900 are 0, and what stands there in others need not be
 * looked at. 15,000 take a fifth of the time that they take one by one.
 */
export class Directions {
  readonly #blocks: Block[] = []
  #last: Direction[] = []
  #byteLength = 0

  /** What they take beside the directions themselves. */
  get byteLength(): number {
    return this.#byteLength
  }

  /** @param direction of the same length as the others */
  add(direction: Direction): void {
    this.#last.push(direction)
    if (this.#last.length < rowsABlock) return
    const block = blockOf(this.#last)
    this.#blocks.push(block)
    this.#byteLength += block.byteLength
    this.#last = []
  }

  /**
   * How far a vector reaches each way, as `Direction.partOf`, in the order they were added in. Rounded,
   * so that it is the same for the same, in whatever order it was added up.
   */
  partsOf(vector: Float32Array): Float32Array {
    const whole = this.#blocks.length * rowsABlock
    const parts = new Float64Array(whole + this.#last.length)
    this.#blocks.forEach((block, index) => {
      const start = index * rowsABlock
      block.addParts(vector, parts.subarray(start, start + rowsABlock))
    })
    this.#last.forEach((direction, index) => (parts[whole + index] = direction.partOf(vector)))
    return new Float32Array(parts)
  }
}

function blockOf(directions: Direction[]): Block {
  const { length } = directions[0]!
  const numbers = directions.length * length
  const zeros = directions.reduce((sum, { count }) => sum + length - count, 0)
  return zeros * numbersAZero < numbers ? new Rows(directions) : new Places(directions)
}

class Rows implements Block {
  readonly byteLength = 0
  readonly #directions: Direction[]

  constructor(directions: Direction[]) {
    this.#directions = directions
  }

  addParts(vector: Float32Array, parts: Float64Array): void {
    this.#directions.forEach((direction, row) => (parts[row]! += direction.partOf(vector)))
  }
}

/** What is not 0, place by place. */
class Places implements Block {
  /** Where each place begins in the others, and where the last ends. */
  readonly #starts: Uint32Array
  readonly #rows: Uint8Array
  readonly #values: Float32Array

  constructor(directions: Direction[]) {
    const { length } = directions[0]!
    const numbers = directions.map((direction) => direction.numbers)
    const starts = new Uint32Array(length + 1)
    for (const { places } of numbers) {
      for (const place of places) starts[place + 1]! += 1
    }
    for (let place = 0; place < length; place++) starts[place + 1]! += starts[place]!
    const count = starts[length]!
    const [rows, sorted, next] = [new Uint8Array(count), new Float32Array(count), starts.slice()]
    numbers.forEach(({ places, values }, row) => {
      for (let n = 0; n < places.length; n++) {
        const at = next[places[n]!]!++
        rows[at] = row
        sorted[at] = values[n]!
      }
    })
    this.#starts = starts
    this.#rows = rows
    this.#values = sorted
  }

  get byteLength(): number {
    return this.#starts.byteLength + this.#rows.byteLength + this.#values.byteLength
  }

  addParts(vector: Float32Array, parts: Float64Array): void {
    const [starts, rows, values] = [this.#starts, this.#rows, this.#values]
    for (let place = 0; place < vector.length; place++) {
      const number = vector[place]!
      if (number === 0) continue
      const end = starts[place + 1]!
      for (let at = starts[place]!; at < end; at++) parts[rows[at]!]! += number * values[at]!
    }
  }
}
