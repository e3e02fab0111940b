import type { Found } from '../store/types.ts'
import { dot } from '../store/store.ts'
import { copyKey } from './copies.ts'

const maxVoters = 8
const power = 4

type Voter = { found: Found; key: string; weight: number }

/**
 * The cosine of each fragment with the centroid of the best others. Copies, and fragments of the same datasource,
 * do not vote for each other. Undefined if no other is among the best. `values` are in descending order.
 */
export function neighbourAgreement(candidates: Found[], values: number[]): (number | undefined)[] {
  const voters = votersOf(candidates, values)
  const centroid = new Float32Array(candidates[0]?.vector.length ?? 0)
  for (const { found, weight } of voters) add(centroid, found.vector, weight)
  return candidates.map((candidate) => {
    const key = copyKey(candidate)
    const isOfSameSource = ({ found, key: other }: Voter) =>
      found.datasourceId === candidate.datasourceId || other === key
    const weightOfOthers = voters.reduce(
      (sum, one) => sum + (isOfSameSource(one) ? 0 : one.weight),
      0,
    )
    if (weightOfOthers === 0) return undefined
    const like = voters
      .filter(isOfSameSource)
      .reduce(
        (sum, { found, weight }) => sum - weight * dot(candidate.vector, found.vector),
        dot(candidate.vector, centroid),
      )
    return like / weightOfOthers
  })
}

function votersOf(candidates: Found[], values: number[]): Voter[] {
  const voters = new Map<string, Voter>()
  for (const [index, found] of candidates.entries()) {
    if (voters.size === maxVoters) break
    const key = copyKey(found)
    if (!voters.has(key)) voters.set(key, { found, key, weight: values[index]! ** power })
  }
  return [...voters.values()]
}

function add(sum: Float32Array, vector: Float32Array, weight: number): void {
  for (let n = 0; n < vector.length; n++) sum[n]! += weight * vector[n]!
}
