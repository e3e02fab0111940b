import { EmbeddingFailed } from '../errors/provider-errors.ts'
import type { Prefixes } from './prefixes.ts'

export interface Embedder {
  /** Vectors of different models cannot be compared. */
  readonly model: string
  /** The length of the vectors; undefined until the provider has told it, where it decides. */
  readonly dimensions: number | undefined
  readonly isModel: boolean
  /** The prefixes that its model wants. The caller adds them, because older datastores have none. */
  readonly prefixes?: Prefixes | undefined
  /** One vector for each text of a workspace. @throws EmbeddingFailed, EmbeddingTimeout; the signal's reason once it is aborted */
  embed(texts: string[], signal: AbortSignal, workspace: string): Promise<Float32Array[]>
}

/** LanceDB would cut or pad any vector, and never find a zero one. @throws EmbeddingFailed saying what is wrong */
export function checkVectors(vectors: Float32Array[], count: number, dimensions: number): void {
  if (vectors.length !== count) {
    throw new EmbeddingFailed(`The embedder gave ${vectors.length} vectors for ${count} texts.`)
  }
  vectors.forEach((vector, index) => {
    const fault = faultOf(vector, dimensions)
    if (fault) throw new EmbeddingFailed(`The embedder gave vector ${index} ${fault}.`)
  })
}

function faultOf(vector: Float32Array, dimensions: number): string | undefined {
  if (vector.length !== dimensions) return `${vector.length} numbers instead of ${dimensions}`
  let sum = 0
  for (const value of vector) sum += value * value
  // LanceDB compares in single precision.
  const squares = Math.fround(sum)
  if (!Number.isFinite(squares)) return 'numbers that are not finite, or too large'
  return squares === 0 ? 'only zeros, or too small numbers' : undefined
}
