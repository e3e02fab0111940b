import { EmbeddingFailed } from '../errors.ts'
import { dot } from '../vectors/vector.ts'

/** Turns texts into vectors. Adapters keep their provider's limits to themselves. */
export interface Embedder {
  /** Names the vectors: those of another model cannot be compared with them. */
  readonly model: string
  /** The length of its vectors where that is set, undefined where the provider decides. */
  readonly dimensions: number | undefined
  /** Whether texts go to somebody else, which takes time and may cost money. */
  readonly isRemote: boolean
  /**
   * One vector a text, in their order, all finite and none zero.
   * @throws EmbeddingFailed, EmbeddingTimeout; the signal's reason once it is aborted
   */
  embed(texts: string[], signal: AbortSignal): Promise<Float32Array[]>
}

/**
 * Checks what an embedder returned before it is stored or searched with: LanceDB would pad, cut and
 * store anything, and never find a zero vector again.
 * @throws EmbeddingFailed saying what is wrong with which vector
 */
export function checkVectors(vectors: Float32Array[], count: number, dimensions: number): void {
  if (vectors.length !== count) {
    throw new EmbeddingFailed(`The embedder gave ${vectors.length} vectors for ${count} texts.`)
  }
  vectors.forEach((vector, index) => {
    if (vector.length !== dimensions) {
      throw new EmbeddingFailed(
        `The embedder gave vector ${index} ${vector.length} numbers instead of ${dimensions}.`,
      )
    }
    // LanceDB compares them in single precision.
    const squares = Math.fround(dot(vector, vector))
    if (!Number.isFinite(squares)) {
      throw new EmbeddingFailed(
        `The embedder gave vector ${index} numbers that are not finite, or too large.`,
      )
    }
    if (squares === 0)
      throw new EmbeddingFailed(
        `The embedder gave vector ${index} only zeros, or too small numbers.`,
      )
  })
}
