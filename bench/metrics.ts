import { mean, quantile } from 'simple-statistics'

/** Gains by document, 0 where it is of no use. */
export type Gains = ReadonlyMap<string, number>

/**
 * Normalised discounted cumulative gain of the first `depth` of a ranking: linear gain, discount
 * log2(rank + 1), against the best order of all judged documents.
 */
export function ndcg(ranked: string[], gains: Gains, depth: number): number {
  const ideal = dcg([...gains.values()].toSorted((a, b) => b - a).slice(0, depth))
  return ideal === 0 ? 0 : dcg(ranked.slice(0, depth).map((id) => gains.get(id) ?? 0)) / ideal
}

const dcg = (gains: number[]): number =>
  gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)

/** The share of the documents with a gain that are among the first `depth` of a ranking. */
export function recall(ranked: string[], gains: Gains, depth: number): number {
  const wanted = new Set([...gains].filter(([, gain]) => gain > 0).map(([document]) => document))
  const found = wanted.intersection(new Set(ranked.slice(0, depth)))
  return wanted.size === 0 ? 0 : found.size / wanted.size
}

/**
 * The area under the ROC curve: how probably a positive scores higher than a negative, equal scores
 * counting half. 0.5 is chance.
 */
export const areaUnderCurve = (positives: number[], negatives: number[]): number =>
  mean(
    positives.map((positive) =>
      mean(negatives.map((negative) => (Math.sign(positive - negative) + 1) / 2)),
    ),
  )

/** As `quantile`, and NaN of nothing. */
export const percentile = (numbers: number[], share: number): number =>
  numbers.length === 0 ? NaN : quantile(numbers, share)
