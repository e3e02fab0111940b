import type { Found } from '../store/types.ts'
import { dot } from '../vectors/vector.ts'
import { copyKey } from './copies.ts'

const maxSpeakers = 8
const power = 4

type Speaker = { found: Found; key: string; weight: number }

/**
 * The cosine of each fragment with the centroid of the best others, -1 to 1; `values` fall. Copies, and fragments
 * of the same datasource, do not vote for each other. Undefined if no other fragment is among the best.
 */
export function neighbourAgreement(candidates: Found[], values: number[]): (number | undefined)[] {
  const speakers = speakersOf(candidates, values)
  const centroid = new Float32Array(candidates[0]?.vector.length ?? 0)
  for (const { found, weight } of speakers) add(centroid, found.vector, weight)
  return candidates.map((candidate) => {
    const key = copyKey(candidate)
    const isKin = ({ found, key: other }: Speaker) =>
      found.datasourceId === candidate.datasourceId || other === key
    const weightOfOthers = speakers.reduce((sum, one) => sum + (isKin(one) ? 0 : one.weight), 0)
    if (weightOfOthers === 0) return undefined
    const like = speakers
      .filter(isKin)
      .reduce(
        (sum, { found, weight }) => sum - weight * dot(candidate.vector, found.vector),
        dot(candidate.vector, centroid),
      )
    return like / weightOfOthers
  })
}

function speakersOf(candidates: Found[], values: number[]): Speaker[] {
  const speakers = new Map<string, Speaker>()
  for (const [index, found] of candidates.entries()) {
    if (speakers.size === maxSpeakers) break
    const key = copyKey(found)
    if (!speakers.has(key)) speakers.set(key, { found, key, weight: values[index]! ** power })
  }
  return [...speakers.values()]
}

function add(sum: Float32Array, vector: Float32Array, weight: number): void {
  for (let n = 0; n < vector.length; n++) sum[n]! += weight * vector[n]!
}
