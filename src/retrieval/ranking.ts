import { byPlace, type Found, type Hit } from '../store/search/found.ts'
import { dot, normalized } from '../vectors/vector.ts'
import { neighbourAgreement } from './neighbour-agreement.ts'
import type { SignReader } from './text-signs.ts'

/** What each sign counts for, beside 1 for the words. */
export type Weights = { agreement: number; line: number; near: number; meaning: number }

/** For vectors made of words: they say no more than the words, but show which fragments are alike. */
export const lexical: Weights = { agreement: 0.35, line: 0.5, near: 0.3, meaning: 0 }

/**
 * For vectors of a model: four parts to one of the words, each by its theoretical range (Bruch, Gai and
 * Ingber, An Analysis of Fusion Functions for Hybrid Retrieval, 2023).
 */
export const semantic: Weights = { agreement: 0, line: 0, near: 0, meaning: 4 }

/** `score` is -1 to 1 by vector, 0 to 1 in the other modes. */
export type Scored = { found: Found; score: number }

/** At least so many fragments are ranked: what answers is hardly ever further down. */
export const minCandidates = 48

/** The weight of the words in how well a query is answered; the cosine has the rest. */
const shareOfWords = 0.4

/** The cosine of texts that have nothing to do with each other. */
const likeByChance = 0.2

/** The cosine of each fragment's vector with the query's, -1 to 1. */
export function byVector(found: Found[], query: Float32Array): Scored[] {
  const direction = normalized(query)
  return found.map((one) => scored(one, dot(one.vector, direction), -1))
}

/** The share of each fragment's score in the ideal one, 0 to 1. */
export const byWords = (hits: Hit[], ideal: number): Scored[] =>
  hits.map(({ found, score }) => scored(found, score / ideal))

/**
 * Words and vectors together, 0 to 1. The best fragment's score is a mean of the best share of words and
 * the best cosine, so that a query that nothing answers has low scores; others follow in proportion.
 * @param hits with score 0 where only vectors found a fragment
 * @param ideal the score of a fragment that says nothing but the question
 */
export function byBoth(
  hits: Hit[],
  ideal: number,
  signs: SignReader,
  query: Float32Array,
  weights: Weights,
): Scored[] {
  const direction = normalized(query)
  const sorted = hits.toSorted((a, b) => b.score - a.score || byPlace(a.found, b.found))
  const cosines = sorted.map(({ found }) => dot(found.vector, direction))
  const maxScore = sorted[0]?.score ?? 0
  if (maxScore === 0)
    return sorted.map(({ found }, index) => scored(found, (1 - shareOfWords) * cosines[index]!))

  const shares = sorted.map(({ score }) => score / maxScore)
  // Fragments without words fill up an answer below those with words, and change none of their scores.
  const isFilling = (index: number) => weights.meaning === 0 && shares[index] === 0
  const measured = (values: number[]) =>
    values.filter((_, index) => weights.meaning > 0 || (index < minCandidates && !isFilling(index)))

  const vectors = sorted.map(({ found }) => found.vector)
  const agreements = neighbourAgreement(vectors, shares)
  const maxAgreement = Math.max(likeByChance, ...measured(agreements))
  const maxCosine = Math.max(...measured(cosines))
  const values = sorted.map(({ found }, index) => {
    const { near, line } = weights.meaning === 0 ? signs.signsOf(found) : { near: 0, line: 0 }
    return (
      shares[index]! +
      weights.line * line +
      weights.near * near +
      weights.agreement * within01(agreements[index]! / maxAgreement) +
      weights.meaning * shareOfRange(cosines[index]!, maxCosine)
    )
  })
  const answered =
    shareOfWords * within01(maxScore / ideal) + (1 - shareOfWords) * within01(maxCosine)
  const [min, max] = [Math.min(...measured(values)), Math.max(...measured(values))]
  return sorted.map(({ found }, index) => {
    const value = isFilling(index) ? Math.min(min, values[index]!) : values[index]!
    return scored(found, (value / max) * answered)
  })
}

/** The cosine's share in the highest one, both counted from -1. */
const shareOfRange = (cosine: number, max: number): number =>
  max <= -1 ? 0 : (1 + cosine) / (1 + max)

const within01 = (value: number): number => Math.max(0, Math.min(1, value))

/** Clamps what rounding moved out of range, to six digits: equal texts have equal scores. */
function scored(found: Found, value: number, min = 0): Scored {
  const score = Math.max(min, Math.min(1, value))
  return { found, score: Math.round(score * 1e6) / 1e6 }
}
