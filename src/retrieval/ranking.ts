import { byPlace, type Found, type Hit } from '../store/search/found.ts'
import { dot, normalized } from '../vectors/vector.ts'
import { neighbourAgreement } from './neighbour-agreement.ts'
import type { SignReader } from './text-signs.ts'

/** What each sign that a fragment answers counts for, beside its words' 1. */
export type Weights = { agreement: number; line: number; near: number; meaning: number }

/**
 * For vectors that are made of words themselves: they add nothing to a fragment's words, but tell
 * whether it speaks of what the best ones speak of.
 */
export const lexical: Weights = { agreement: 0.35, line: 0.5, near: 0.3, meaning: 0 }

/**
 * For vectors of a model, which see more than words: four parts of theirs to one of the words', each
 * by its theoretical range (Bruch, Gai and Ingber, An Analysis of Fusion Functions for Hybrid
 * Retrieval, 2023).
 */
export const semantic: Weights = { agreement: 0, line: 0, near: 0, meaning: 4 }

/** A fragment and how well it answers; vector mode -1 to 1, others 0 to 1. */
export type Scored = { found: Found; score: number }

/** So many fragments are ranked, at least; what answers is hardly ever further down. */
export const minCandidates = 48

/** What the best share of words counts for in how well a query is answered; the best cosine is the rest. */
const shareOfWords = 0.4

/** Texts that have nothing to do with each other are as like by chance. */
const likeByChance = 0.2

/** The cosine of each fragment's vector with the query's, -1 to 1. */
export function byVector(found: Found[], query: Float32Array): Scored[] {
  const direction = normalized(query)
  return found.map((one) => scored(one, dot(one.vector, direction), -1))
}

/** The share of each fragment's words in the most that they could come to, 0 to 1. */
export const byWords = (hits: Hit[], ideal: number): Scored[] =>
  hits.map(({ found, score }) => scored(found, score / ideal))

/**
 * Words and vectors together, 0 to 1: the value of each fragment in that of the best, which stands
 * for a mean of the best share of words and the best cosine. So a query that nothing answers well
 * is told from one that something does.
 * @param hits by words, or with score 0 where only vectors found it
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
  // Where only words find, what fills up an answer is measured by the others and stands below them,
  // so that a score does not hang on how many are asked for.
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

/** The cosine's share in the highest one, both counted from the least that a cosine can be. */
const shareOfRange = (cosine: number, max: number): number =>
  max <= -1 ? 0 : (1 + cosine) / (1 + max)

const within01 = (value: number): number => Math.max(0, Math.min(1, value))

/**
 * Brought into its range, which rounding can leave by a hair, and to six digits: vectors have no
 * more, and equal texts are to have equal scores.
 */
function scored(found: Found, value: number, min = 0): Scored {
  const score = Math.max(min, Math.min(1, value))
  return { found, score: Math.round(score * 1e6) / 1e6 }
}
