/**
 * Normalised discounted cumulative gain of the first `depth` of a ranking: linear gain, discount
 * log2(rank + 1), against the best order of all judged documents.
 */
export function ndcg(ranked: string[], gains: ReadonlyMap<string, number>, depth: number): number {
  const ideal = dcg([...gains.values()].toSorted((a, b) => b - a).slice(0, depth))
  return ideal === 0 ? 0 : dcg(ranked.slice(0, depth).map((id) => gains.get(id) ?? 0)) / ideal
}

const dcg = (gains: number[]): number =>
  gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
