import { HashingEmbedder } from '../src/embeddings/hashing-embedder.ts'
import { dot } from '../src/retrieval/candidates.ts'
import type { Text } from './collection.ts'

/** What cosines may differ by and still be the same: single precision, summed in another order. */
const tolerance = 1e-6

/** The vectors of the built-in embedder, of length 1. */
export const vectorsOf = (texts: string[]): Promise<Float32Array[]> =>
  new HashingEmbedder().embed(texts, new AbortController().signal)

/**
 * Tells which share of the `topK` texts nearest to a query was found, by the place of the query and the
 * numbers of the texts. Of several that are equally near at the border, any will do.
 */
export async function nearestRecall(texts: Text[], queries: string[], topK: number) {
  const vectors = await vectorsOf(texts.map(({ text }) => text))
  const asked = await vectorsOf(queries)
  const vectorOf = new Map(texts.map(({ number }, place) => [number, vectors[place]!]))
  const borders = asked.map((vector) => {
    const cosines = Float64Array.from(vectors, (other) => dot(vector, other)).toSorted()
    return cosines[Math.max(0, cosines.length - topK)]!
  })
  return (query: number, found: string[]): number => {
    const cosines = found.slice(0, topK).map((text) => dot(asked[query]!, vectorOf.get(text)!))
    const near = cosines.filter((value) => value >= borders[query]! - tolerance)
    return near.length / Math.min(topK, texts.length)
  }
}
