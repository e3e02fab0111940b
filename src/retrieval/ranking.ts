import { byPlace, dot, normalized } from '../store/store.ts'
import type { Found, Hit } from '../store/types.ts'
import { minCandidates } from './candidates.ts'
import { withEqualCopies, copyKey } from './copies.ts'
import type { QueryTerms } from './query-terms.ts'
import { SignalReader } from './text-signals.ts'

export type Scored = { found: Found; score: number }

const weights = { agreement: 0.35, title: 0.5, near: 0.6 }

const weightOfModelCosine = 1
const weightOfBuiltInCosine = 0.2
/** Shorter queries ignore the built-in cosine, because their spelling matters more. */
const minWordsOfBuiltIn = 4

/** The share of words in how well a query is answered; the cosine has the rest. */
const shareOfWords = 0.4

const weightOfWordsAlone = 0.75

/** With a model, words count in full above this share of what a text could hold of the query's words. */
const shareOfFullWords = 0.5

const cosineByChance = 0.2

export function byVector(found: Found[], query: Float32Array): Scored[] {
  const direction = normalized(query)
  return found.map((one) => scored(one, dot(one.vector, direction), -1))
}

export function byWords(hits: Hit[], { ideal, idfs }: QueryTerms): Scored[] {
  const signals = new SignalReader(idfs)
  const shares = hits.map(({ found, score }) => scored(found, score / ideal))
  return withEqualCopies(shares, (found) => signals.nameShareOf(found))
}

/**
 * Combines words and vectors, 0 to 1. The best score comes from that fragment's own words and cosine, so it is low
 * if nothing answers, and filters do not change it. Others follow in proportion. `hits` have score 0 without words.
 */
export function byBoth(
  hits: Hit[],
  terms: QueryTerms,
  query: Float32Array,
  isModel: boolean,
): Scored[] {
  const signals = new SignalReader(terms.idfs)
  const direction = normalized(query)
  const sorted = hits.toSorted((a, b) => b.score - a.score || byPlace(a.found, b.found))
  const cosines = sorted.map(({ found }) => dot(found.vector, direction))
  const maxScore = sorted[0]?.score ?? 0
  if (maxScore === 0)
    return sorted.map(({ found }, index) => scored(found, (1 - shareOfWords) * cosines[index]!))

  const shares = sorted.map(({ score }) => score / maxScore)
  // Fragments without words fill up an answer below those with words, and change none of their scores.
  const isFilling = (index: number) => !isModel && shares[index] === 0
  const measured = (values: number[]) =>
    values.filter((_, index) => isModel || (index < minCandidates && !isFilling(index)))

  const found = sorted.map((hit) => hit.found)
  const weightOfCosine = isModel ? weightOfModelCosine : weightOfBuiltIn(terms)
  // A question in other words than its answer shares some with texts about another topic.
  const weightOfWords = isModel ? within01(maxScore / terms.ideal / shareOfFullWords) : 1
  const measures = { found, shares, cosines, measured, weightOfWords, weightOfCosine }
  const values = valuesOf(measures, signals)
  const [min, max] = extremes(measured(values))
  const best = values.findIndex((value, index) => value === max && !isFilling(index))
  const wordsOfBest = within01(sorted[best]!.score / terms.ideal)
  const answered = scoreOfBest(wordsOfBest, within01(cosines[best]!))
  const scores = found.map((one, index) => {
    const value = isFilling(index) ? Math.min(min, values[index]!) : values[index]!
    return scored(one, (value / max) * answered)
  })
  return withEqualCopies(scores, (one) => signals.nameShareOf(one))
}

const weightOfBuiltIn = ({ words }: QueryTerms): number =>
  words < minWordsOfBuiltIn ? 0 : weightOfBuiltInCosine

/** Words may decide alone: the vector of a long text is unlike that of an error code in it. */
const scoreOfBest = (words: number, cosine: number): number =>
  Math.max(weightOfWordsAlone * words, shareOfWords * words + (1 - shareOfWords) * cosine)

type Measures = {
  found: Found[]
  shares: number[]
  cosines: number[]
  measured: (values: number[]) => number[]
  weightOfWords: number
  weightOfCosine: number
}

function valuesOf(measures: Measures, signals: SignalReader): number[] {
  const { found, shares, cosines, measured, weightOfWords, weightOfCosine } = measures
  const agreements = neighbourAgreement(found, shares)
  const known = measured(agreements.map((one) => one ?? 0))
  const maxAgreement = Math.max(cosineByChance, ...known)
  const [minCosine, maxCosine] = extremes(measured(cosines))
  return found.map((one, index) => {
    const { near, title } = signals.signalsOf(one)
    const likeness = within01(shareOfRange(cosines[index]!, minCosine, maxCosine))
    const words =
      shares[index]! +
      weights.title * title +
      weights.near * near +
      // A document that alone has all the best candidates counts as fully agreed with.
      weights.agreement * within01((agreements[index] ?? maxAgreement) / maxAgreement)
    return weightOfWords * words + weightOfCosine * likeness
  })
}

const extremes = (values: number[]): [min: number, max: number] => [
  Math.min(...values),
  Math.max(...values),
]

/** Uses the range of the candidates, because models differ in the range of their cosines. */
const shareOfRange = (value: number, min: number, max: number): number =>
  max === min ? 0 : (value - min) / (max - min)

const within01 = (value: number): number => Math.max(0, Math.min(1, value))

function scored(found: Found, value: number, min = 0): Scored {
  const score = Math.max(min, Math.min(1, value))
  return { found, score: Math.round(score * 1e6) / 1e6 }
}

const maxVoters = 8
const power = 4

type Voter = { found: Found; key: string; weight: number }

/**
 * The cosine of each fragment with the centroid of the best others. Copies, and fragments of the same datasource,
 * do not vote for each other. Undefined if no other is among the best. `values` are in descending order.
 */
function neighbourAgreement(candidates: Found[], values: number[]): (number | undefined)[] {
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
