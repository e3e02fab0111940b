const mostSteps = 32_767

/**
 * Which way a vector points, in half of the memory that its numbers take, so that twice as many are
 * remembered: 16 bits each, in steps of a share of the largest. Cosines are good to 0.00001.
 */
export class Direction {
  readonly #steps: Int16Array
  /** What a step is of a length of 1. */
  readonly #step: number

  constructor(vector: Float32Array) {
    let most = 0
    for (let index = 0; index < vector.length; index++) {
      most = Math.max(most, Math.abs(vector[index]!))
    }
    const steps = new Int16Array(vector.length)
    let squares = 0
    for (let index = 0; index < steps.length; index++) {
      const value = Math.round((vector[index]! / most) * mostSteps)
      steps[index] = value
      squares += value * value
    }
    this.#steps = steps
    this.#step = 1 / Math.sqrt(squares)
  }

  get length(): number {
    return this.#steps.length
  }

  get byteLength(): number {
    return this.#steps.byteLength
  }

  /** The vector's part that points this way: of one of length 1 the cosine of both. */
  partOf(vector: Float32Array): number {
    const steps = this.#steps
    let [first, second, third, fourth] = [0, 0, 0, 0]
    const whole = steps.length & ~3
    for (let index = 0; index < whole; index += 4) {
      first += steps[index]! * vector[index]!
      second += steps[index + 1]! * vector[index + 1]!
      third += steps[index + 2]! * vector[index + 2]!
      fourth += steps[index + 3]! * vector[index + 3]!
    }
    for (let index = whole; index < steps.length; index++) first += steps[index]! * vector[index]!
    return (first + second + third + fourth) * this.#step
  }

  /** Adds as much of this way to a vector. */
  addTo(vector: Float32Array, length: number): void {
    const steps = this.#steps
    const scale = length * this.#step
    for (let index = 0; index < steps.length; index++) vector[index]! += scale * steps[index]!
  }
}
