import { bestFirst } from '../store/store.ts'
import type { Found, Hit } from '../store/types.ts'
import { cosinesOf, dot, minCandidates } from './candidates.ts'
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
  const cosines = cosinesOf(found, query)
  return found.map((one, index) => scored(one, cosines[index]!, -1))
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
  const candidates = candidatesIn(bestFirst(hits), query, isModel)
  const maxScore = candidates[0]?.score ?? 0
  if (maxScore === 0)
    return candidates.map(({ found, cosine }) => scored(found, (1 - shareOfWords) * cosine))

  const signals = new SignalReader(terms.idfs)
  // A question in other words than its answer shares some with texts about another topic.
  const ofWords = isModel ? within01(maxScore / terms.ideal / shareOfFullWords) : 1
  const ofCosine = isModel ? weightOfModelCosine : weightOfBuiltIn(terms)
  const values = valuesOf(candidates, signals, ofWords, ofCosine)
  const [min, max] = extremes(measured(values, candidates))
  const best = candidates.find(({ isFilling }, index) => values[index] === max && !isFilling)!
  const answered = scoreOfBest(within01(best.score / terms.ideal), within01(best.cosine))
  const scores = candidates.map(({ found, isFilling }, index) => {
    const value = isFilling ? Math.min(min, values[index]!) : values[index]!
    return scored(found, (value / max) * answered)
  })
  return withEqualCopies(scores, (one) => signals.nameShareOf(one))
}

type Candidate = Hit & {
  /** Of the best score by words. */
  share: number
  cosine: number
  /** Without words it fills up an answer below those with words, and changes none of their scores. */
  isFilling: boolean
  isMeasured: boolean
}

function candidatesIn(sorted: Hit[], query: Float32Array, isModel: boolean): Candidate[] {
  const found = sorted.map((hit) => hit.found)
  const cosines = cosinesOf(found, query)
  return sorted.map((hit, index) => {
    const isFilling = !isModel && hit.score === 0
    const isMeasured = isModel || (index < minCandidates && !isFilling)
    const share = hit.score / sorted[0]!.score
    return { ...hit, share, cosine: cosines[index]!, isFilling, isMeasured }
  })
}

const measured = (values: number[], candidates: Candidate[]): number[] =>
  values.filter((_, index) => candidates[index]!.isMeasured)

const weightOfBuiltIn = ({ words }: QueryTerms): number =>
  words < minWordsOfBuiltIn ? 0 : weightOfBuiltInCosine

/** Words may decide alone: the vector of a long text is unlike that of an error code in it. */
const scoreOfBest = (words: number, cosine: number): number =>
  Math.max(weightOfWordsAlone * words, shareOfWords * words + (1 - shareOfWords) * cosine)

function valuesOf(
  candidates: Candidate[],
  signals: SignalReader,
  weightOfWords: number,
  weightOfCosine: number,
): number[] {
  const agreements = neighbourAgreement(candidates)
  const known = agreements.map((one) => one ?? 0)
  const maxAgreement = Math.max(cosineByChance, ...measured(known, candidates))
  const cosines = candidates.map(({ cosine }) => cosine)
  const [minCosine, maxCosine] = extremes(measured(cosines, candidates))
  return candidates.map(({ found, share, cosine }, index) => {
    const { near, title } = signals.signalsOf(found)
    const likeness = within01(shareOfRange(cosine, minCosine, maxCosine))
    const words =
      share +
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
 * do not vote for each other. Undefined if no other is among the best.
 */
function neighbourAgreement(candidates: Candidate[]): (number | undefined)[] {
  const voters = votersOf(candidates)
  const centroid = new Float32Array(candidates[0]?.found.vector.length ?? 0)
  for (const { found, weight } of voters) add(centroid, found.vector, weight)
  return candidates.map(({ found: candidate }) => {
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

function votersOf(candidates: Candidate[]): Voter[] {
  const voters = new Map<string, Voter>()
  for (const { found, share } of candidates) {
    if (voters.size === maxVoters) break
    const key = copyKey(found)
    if (!voters.has(key)) voters.set(key, { found, key, weight: share ** power })
  }
  return [...voters.values()]
}

function add(sum: Float32Array, vector: Float32Array, weight: number): void {
  for (let n = 0; n < vector.length; n++) sum[n]! += weight * vector[n]!
}
