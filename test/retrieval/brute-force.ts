import type { Fragment, QueryDatastore } from '../../generated/types.gen.ts'
import { HashingEmbedder } from '../../src/embeddings/hashing-embedder.ts'
import type { Random } from '../support/random.ts'

/** A document of one fragment, with its vector. */
export type Sample = { id: string; text: string; customId: string; vector: Float32Array }

const nouns = 'heron otter badger weasel plover curlew marten adder pike lapwing teal vole'.split(
  ' ',
)
const verbs = 'waits swims digs hides calls hunts sleeps climbs drinks turns'.split(' ')
const places = 'river marsh thicket meadow quarry orchard harbour moor ditch island'.split(' ')

/** A short text; there are some million, many of them alike. */
export const textOf = (random: Random): string =>
  `The ${random.pick(nouns)} ${random.pick(verbs)} by the ${random.pick(places)}, and the ${random.pick(nouns)} ${random.pick(verbs)} by the ${random.pick(places)} ${random.below(100)}.`

const embedder = new HashingEmbedder()

export const vectorsOf = (texts: string[]): Promise<Float32Array[]> =>
  embedder.embed(texts, new AbortController().signal)

/** The samples that the filters of a question match. */
export function matching(samples: Sample[], { filters = {} }: QueryDatastore): Sample[] {
  const { datasource_ids: ids, custom_ids: customIds } = filters
  return samples.filter(
    ({ id, customId }) => ids?.includes(id) !== false && customIds?.includes(customId) !== false,
  )
}

/** The cosines of the best `topK`, best first, to the digits of a score. */
export async function bestScores(samples: Sample[], { query, topK }: QueryDatastore) {
  const [vector] = await vectorsOf([query])
  return samples
    .map((sample) => cosine(sample.vector, vector!))
    .toSorted((a, b) => b - a)
    .slice(0, topK)
}

/** What is wrong with an answer to a question in vector mode, if anything. */
export function faultsOf(answer: Fragment[], samples: Sample[], best: number[]): string[] {
  const known = new Map(samples.map((sample) => [sample.id, sample]))
  const scores = answer.map(({ score }) => score)
  return [
    ...(answer.length === best.length ? [] : [`${answer.length} instead of ${best.length}`]),
    ...answer
      .filter(({ datasource_id: id, text }) => known.get(id)?.text !== text)
      .map(({ text }) => `${text} is not to be found`),
    ...(new Set(answer.map(({ datasource_id: id }) => id)).size === answer.length ? [] : ['twice']),
    ...scores
      .filter((score, index) => Math.abs(score - best[index]!) > rounding)
      .map((score) => `${score} is none of the best`),
  ]
}

/** How many of the best are in the answer, 0 to 1. */
export const recallOf = (answer: Fragment[], best: number[]): number =>
  answer.filter(({ score }) => score >= best.at(-1)! - rounding).length / best.length

const rounding = 2e-6

/** Vectors of the built-in embedder have length 1. */
const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * b[index]!, 0)

/** Of the documents' ids, their callers', both, or neither; also of things that are not there. */
export function filtersOf(random: Random, samples: Sample[]): QueryDatastore['filters'] {
  const some = <T>(most: number, one: () => T) => Array.from({ length: random.below(most) }, one)
  const ids = () => [...some(40, () => random.pick(samples).id), "src_o'none"]
  const customIds = () => some(4, () => `customer ${random.below(12)}`)
  return {
    ...(random.chance(0.3) && { datasource_ids: ids() }),
    ...(random.chance(0.4) && { custom_ids: customIds() }),
  }
}
