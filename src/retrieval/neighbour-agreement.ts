import { dot } from '../vectors/vector.ts'

/** The best so many make the centroid, weighed by this power of their values. */
const speakers = 8
const power = 4

/**
 * The cosine of each unit vector with the centroid of the best others, -1 to 1. Each is left out of its
 * own centroid, or the best would agree with themselves.
 * @param values of the vectors, 0 to 1, best first
 */
export function neighbourAgreement(vectors: Float32Array[], values: number[]): number[] {
  const weights = values.map((value, index) => (index < speakers ? value ** power : 0))
  const sumOfWeights = weights.reduce((sum, weight) => sum + weight, 0)
  const centroid = new Float32Array(vectors[0]?.length ?? 0)
  for (const [index, vector] of vectors.slice(0, speakers).entries()) {
    const weight = weights[index]!
    for (let n = 0; n < vector.length; n++) centroid[n]! += weight * vector[n]!
  }
  return vectors.map((vector, index) => {
    const others = sumOfWeights - weights[index]!
    return others === 0 ? 0 : (dot(vector, centroid) - weights[index]!) / others
  })
}
