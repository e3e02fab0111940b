import { setImmediate } from 'node:timers/promises'
import { HashingEmbedder } from '../../src/embeddings/hashing-embedder.ts'

/** What cosines may differ by and still be the same: single precision, summed in another order. */
const tolerance = 1e-6

/** The vectors of the built-in embedder, of length 1. */
export const vectorsOf = (texts: string[]): Promise<Float32Array[]> =>
  new HashingEmbedder().embed(texts, new AbortController().signal)

/** The cosine of two vectors of length 1. */
export function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let n = 0; n < one.length; n++) sum += one[n]! * other[n]!
  return sum
}

/** The cosine of the `depth`th nearest vector to each query; of the last where there are fewer. */
export async function borders(
  queries: Float32Array[],
  vectors: Float32Array[],
  depth: number,
): Promise<number[]> {
  const found: number[] = []
  for (const query of queries) {
    const cosines = Float64Array.from(vectors, (vector) => cosine(query, vector)).toSorted()
    found.push(cosines[Math.max(0, cosines.length - depth)]!)
    // It takes seconds in all, in which an interrupt is to be heard.
    await setImmediate()
  }
  return found
}

/**
 * The share of the `depth` nearest that were found, by the true cosines of what was: of several that
 * are equally near at the border, any will do.
 */
export function nearnessRecall(foundCosines: number[], border: number, depth: number): number {
  const near = foundCosines.slice(0, depth).filter((value) => value >= border - tolerance)
  return near.length / depth
}
