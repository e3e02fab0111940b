import { dot } from '../vectors/vector.ts'

/** How many of the best speak for others, and by which power of their values. */
const speakers = 8
const power = 4

/**
 * How like each of some unit vectors is to the best of the others, -1 to 1. They stand best first,
 * with what makes them so in `values`, 0 to 1. Each is left out of what it is compared with, or the
 * best would be like themselves.
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
