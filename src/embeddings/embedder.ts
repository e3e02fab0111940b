/** Turns texts into vectors. Adapters keep their provider's limits to themselves. */
export interface Embedder {
  /** Names the vectors: those of another model cannot be compared with them. */
  readonly model: string
  readonly dimensions: number
  /**
   * One vector a text, in their order, each of `dimensions` finite numbers and not zero.
   * @throws the signal's reason once it is aborted
   */
  embed(texts: string[], signal: AbortSignal): Promise<Float32Array[]>
}

/**
 * Checks what an embedder returned before it is stored or searched with: LanceDB would pad, cut and
 * store anything, and never find a zero vector again.
 * @throws Error saying what is wrong with which vector
 */
export function checkVectors(vectors: Float32Array[], count: number, dimensions: number): void {
  if (vectors.length !== count) {
    throw new Error(`The embedder returned ${vectors.length} vectors for ${count} texts.`)
  }
  vectors.forEach((vector, index) => {
    if (vector.length !== dimensions) {
      throw new Error(`Vector ${index} has ${vector.length} numbers instead of ${dimensions}.`)
    }
    let squares = 0
    for (const value of vector) squares += value * value
    if (!Number.isFinite(squares)) throw new Error(`Vector ${index} is not finite.`)
    if (squares === 0) throw new Error(`Vector ${index} is zero.`)
  })
}
